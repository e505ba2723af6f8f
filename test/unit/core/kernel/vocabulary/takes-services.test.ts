// If a tool takes services is found out from its second parameter, and from what its code does with that.
import { describe, expect, it } from "vitest";
import { takesServices } from "../../../../../src/core/kernel/vocabulary/takes-services.js";

interface Context {
  readonly services: { find(): string };
}
const of = (code: string) => takesServices(new Function(`return (${code})`)());

describe("the code of a tool", () => {
  it.each([
    "(_i, { services }) => services.find()",
    "(_i,{services:a})=>a",
    "(_i, { 'services': a }) => a",
    "(_i, { services: { db } }) => db",
    "async ({ path, from = [1, 2] }, { deps, services = {} }) => services",
    "function (_i, { deps, services }) { return services; }",
    "async function named(_i, /* , the (run */ { services }) { return services; }",
    "({ execute(_i, { services }) { return services; } }).execute",
    '({ "execute, (it)"(_i, { services }) { return services; } })["execute, (it)"]',
    '(i = ")", { services } = {}) => services',
    "(ü, { services }) => services",
    "(_i, context) => context.services.find()",
    "(_i, context) => context?.services === undefined",
    "async (_i, ctx) => { const { deps, services } = ctx; return services; }",
  ])("takes services: %s", (code) => {
    expect(of(code)).toBe(true);
  });

  it.each([
    "() => cluster.services.list()",
    "(services) => services.find()",
    "({ services }) => services",
    "input => call(input, { services: 1 })",
    "async ünput => call(ünput, { services: 1 })",
    "(_i, { deps: { services } }) => services",
    "(_i, { services2, ...rest }) => rest",
    "(_i, { signal }) => cluster.services.list(signal)",
    "(_i, ctx) => { ctx.services = 1; return helper(ctx); }",
    "(_i, ctx) => { const { services } = ctx.deps; return [services, my.ctx.services]; }",
    "(_i, ctx) => 'as ctx.services says' + `of ctx.services`",
    "(_i, ctx) => { /* ctx.services */ return ctx.servicesOf; }",
    "(e, s) => [{ services: [s.id] }].reduce((e, s) => e + s.services.length, 0)",
    "Math.max",
    "(() => {}).bind(undefined)",
  ])("takes none: %s", (code) => {
    expect(of(code)).toBe(false);
  });

  it("is that of a function, however long it is", () => {
    const own = { find: (_input: unknown, { services }: Context) => services.find() };
    expect(takesServices(own.find)).toBe(true);
    expect(takesServices(undefined)).toBe(false);
    expect(takesServices("(_i, { services }) => services")).toBe(false);
    const long = `(_i, { services }) => ["${"/*'`".repeat(1_000_000)}"]`;
    expect(of(long)).toBe(true);
  });
});
