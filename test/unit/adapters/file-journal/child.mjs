// A process of its own that opens, appends to and closes a journal when it is told to, over IPC or,
// with a path as its argument, at once.
import { fileJournal } from "../../../../dist/adapters/file-journal/index.js";

let writer;
const tasks = {
  async open({ path, mode }) {
    writer = await fileJournal(path).open(mode);
  },
  append: ({ lines, expected }) => writer.append(lines, expected),
  close: () => writer.close(),
};

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.on("message", async (message) => {
    try {
      await tasks[message.task](message);
      process.send({});
    } catch (thrown) {
      process.send({ code: thrown.code ?? "no code", message: thrown.message });
    }
  });
  process.send({});
} else {
  await tasks.open({ path, mode: "append" });
  console.log(process.pid);
  // Stays until it is killed.
  setInterval(() => {}, 60_000);
}
