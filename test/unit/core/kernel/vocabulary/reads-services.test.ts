// If a tool reads services is found out from its code, and from the second parameter alone.
import { describe, expect, it } from "vitest";
import { readsServices } from "../../../../../src/core/kernel/vocabulary/reads-services.js";

type Context = { readonly services: { find(): string }; readonly deps: object };
const of = (code: string) => readsServices(new Function(`return (${code})`)());

describe("the code of a tool", () => {
  it.each([
    "(_i, { services }) => services.find()",
    "(_i, {services:a}) => a",
    "async ({ path, from = [1, 2] }, { deps, services = {} }) => services",
    "function (_i, { deps, services }) { return services; }",
    "async function named(_i, /* , the (run */ { services }) { return services; }",
    "({ execute(_i, { services }) { return services; } }).execute",
    '({ "execute, (it)"(_i, { services }) { return services; } })["execute, (it)"]',
    "({ async *execute(_i, { signal, ...rest }, { services }) {}, execute2(_i, c) { return c.services.x; } }).execute2",
    '(i = ")", { services } = {}) => services',
    "(_i, context) => context.services.find()",
    "(_i, context) => context.services?.find()",
    "(_i, context) => context?.services",
    "(_i, $c) => { const { deps, services } = $c; return services; }",
    "(_i, context = {}) => { let a; ({ services: a } = context); return a; }",
  ])("reads services of its context: %s", (code) => {
    expect(of(code)).toBe(true);
  });

  it.each([
    "() => cluster.services.list()",
    "(services) => services.find()",
    "({ services }) => services",
    "input => call(input, { services: 1 })",
    "async input => call(input, { services: 1 })",
    "(_i, { deps: { services } }) => services",
    "(_i, { servicesOf, ...rest }) => servicesOf",
    "(_i, context) => helper(context)",
    "(_i, context) => my.context.services",
    "(_i, context) => ({ services: 1, of: context })",
    "(_i, context) => { const { services } = context.deps; return services; }",
    "(_i, context) => 'no services here'",
    "(_i, { signal }) => cluster.services.list(signal)",
    "Math.max",
    "(() => {}).bind(undefined)",
  ])("reads none: %s", (code) => {
    expect(of(code)).toBe(false);
  });

  it("is that of a function", () => {
    const own = { find: (_input: unknown, { services }: Context) => services.find() };
    expect(readsServices(own.find)).toBe(true);
    expect(readsServices(undefined)).toBe(false);
    expect(readsServices("(_i, { services }) => services")).toBe(false);
  });
});
