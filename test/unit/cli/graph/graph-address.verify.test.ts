// `graph` of a database's address: what is misspelt, said twice or does not answer is one line with a
// code, and no line has the password in it.
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo } from "../support.js";

async function say(...words: readonly string[]) {
  const io = anIo(aFolder());
  const code = await main(io, ["graph", ...words]);
  return { code, ...io.written };
}

const decisions = ["--view", "decisions"];

it.each([
  [["postgress://ada:secret@localhost/plans", ...decisions], "postgress: is not the address"],
  [["mysql://ada:secret@localhost/plans", ...decisions], "mysql: is not the address"],
  [["postgres:/ada:secret@localhost/plans", ...decisions], "postgres: is not the address"],
  [["postgres://ada:secret@[", ...decisions], "is not a URL"],
  [["postgres://ada:secret@localhost:99999/plans", ...decisions], "is not a URL"],
  [["postgres://ada@localhost/plans"], "add --view decisions"],
  [["postgres://ada@localhost/plans", "--view", "trace"], "add --view decisions"],
  [
    ["postgres://ada@localhost:1/plans?schema=a", ...decisions, "--schema", "b"],
    "--schema b and the address's schema=a are two",
  ],
  [["postgres://ada@localhost:1/p?connect_timeout=soon", ...decisions], "not a number of"],
  [["postgres://ada@localhost:1/p", ...decisions, "--store", "s"], "with a journal alone"],
  [["postgres://ada:secret@localhost/plans", ...decisions], "has a password in it; leave it out"],
])("refuses %j", async (words, what) => {
  const { code, stdout, stderr } = await say(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^reckoner: .* \[cli\.usage\]\n$/);
  expect(stderr).toContain(what);
  expect(stderr).not.toContain("secret");
});

it.each(["postgres", "POSTGRES", "postgresql"])("says that nobody is at %s://…", async (scheme) => {
  const nobody = await say(`${scheme}://ada@127.0.0.1:1/plans`, ...decisions);
  expect(nobody).toMatchObject({ code: 2, stdout: "" });
  expect(nobody.stderr).toMatch(
    /^reckoner: postgres:\/\/127\.0\.0\.1:1\/plans: .*\[port\.failed\]\n$/,
  );
});

it("gives up a server that takes the call and says nothing", async () => {
  const open: Socket[] = [];
  const silent = createServer((socket) => open.push(socket));
  const port = await new Promise<number>((listening) => {
    silent.listen(0, "127.0.0.1", () => {
      const address = silent.address();
      listening(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    silent.close();
  });
  const given = await say(`postgres://127.0.0.1:${port}/plans?connect_timeout=1`, ...decisions);
  expect(given).toMatchObject({ code: 2, stdout: "" });
  expect(given.stderr).toMatch(/^reckoner: .*timeout.*\[port\.failed\]\n$/);
});
