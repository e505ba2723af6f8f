// Names of schemas: they stand in statements, so they hold nothing that ends one.
import { expect, it } from "vitest";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";

it.each(["a", "_", "main", "Reckoner_2", "x".repeat(63)])("%s can stand in a statement", (name) => {
  const schema = new Schema(name);
  expect([schema.name, schema.quoted, schema.table("decision_nodes")]).toEqual([
    name,
    `"${name}"`,
    `"${name}".decision_nodes`,
  ]);
});

it.each(["", "1a", "a b", "a-b", 'a"', "a;", "a\n", "é", "x".repeat(64)])("%j cannot", (name) => {
  expect(() => new Schema(name)).toThrow(
    expect.objectContaining({
      code: "store.config",
      place: "schema",
      message: `schema is ${JSON.stringify(name)}; give a name of 1 to 63 letters, digits and underscores that does not begin with a digit.`,
    }),
  );
});
