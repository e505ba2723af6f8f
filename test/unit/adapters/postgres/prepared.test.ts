// Statements that sessions keep: those that are asked again and again, so many of them for all stores of a pool.
import { expect, it } from "vitest";
import { Prepared } from "../../../../src/adapters/postgres/prepared.js";

/** A connection of pg, of which only the names are seen. */
class Connection {
  readonly processID = 1;
  readonly names: (string | undefined)[] = [];
  release() {}
  async query(given: unknown) {
    this.names.push((given as { readonly name?: string }).name);
    return { rows: [] };
  }
}

function pool() {
  const client = new Connection();
  const stores = [Prepared.of(client as never), Prepared.of(client as never)];
  let broken = 0;
  const ask = (text: string, store = 0) =>
    (stores[store] as Prepared).ask(client as never, text, [], () => {
      broken += 1;
    });
  return { client, ask, broken: () => broken };
}

it("a statement has a name from the second time on, also where many were asked once before", async () => {
  const { client, ask } = pool();
  for (let n = 0; n < 1_000; n++) await ask(`SELECT ${n}`);
  expect(client.names.every((name) => name === undefined)).toBe(true);
  await ask("SELECT again");
  await ask("SELECT again");
  expect(client.names.at(-2)).toBeUndefined();
  expect(client.names.at(-1)).toMatch(/^reckoner_\w{32}$/);
});

it("all stores of a pool have one number of names", async () => {
  const { client, ask } = pool();
  for (let n = 0; n < 400; n++) {
    for (let time = 0; time < 3; time++) await ask(`SELECT ${n}`, n % 2);
  }
  const names = new Set(client.names.filter((name) => name !== undefined));
  expect(names.size).toBe(100);
});
