// What callers write for the functions of the package, and which of its optional properties do not
// take `undefined` under exactOptionalPropertyTypes. Found with the compiler, so that none is missed.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../..");
const SRC = join(ROOT, "src");

/** A type that callers write, as the compiler finds it. */
export interface Written {
  /** Where it is declared: `runtime/ports/options.ts: RunOptions`. */
  readonly type: string;
  /** A way to it from what a program imports: `reckoner: run(options)`. */
  readonly by: string;
  /** Its optional properties, methods among them. */
  readonly optional: readonly string[];
  /** Those of them that refuse `undefined`. */
  readonly strict: readonly string[];
}

/** Every type with optional properties that is reached from what the exported functions are given. */
export function writtenTypes(): readonly Written[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const entries = Object.entries<{ types?: string }>(exports).flatMap(([name, { types }]) =>
    types === undefined
      ? []
      : [[name.replace(".", "reckoner"), types.replace("./dist", SRC).replace(".d.ts", ".ts")]],
  ) as [string, string][];
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, "tsconfig.json"), {}, host);
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    config?.options ?? {},
  );
  const walk = new Walk(program.getTypeChecker());
  for (const [name, file] of entries)
    walk.entry(name, program.getSourceFile(file) as ts.SourceFile);
  return walk.found();
}

class Walk {
  readonly #checker: ts.TypeChecker;
  readonly #seen = new Set<ts.Type>();
  readonly #found = new Map<string, { by: string; optional: Set<string>; strict: Set<string> }>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  found(): readonly Written[] {
    return [...this.#found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, { by, optional, strict }]) => ({
        type,
        by,
        optional: [...optional],
        strict: [...strict],
      }));
  }

  entry(name: string, file: ts.SourceFile): void {
    this.#exports(name, this.#checker.getSymbolAtLocation(file) as ts.Symbol);
  }

  #exports(name: string, module: ts.Symbol): void {
    for (const each of this.#checker.getExportsOfModule(module)) {
      const isAlias = (each.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? this.#checker.getAliasedSymbol(each) : each;
      if ((symbol.flags & ts.SymbolFlags.Value) === 0) continue;
      // A namespace: `export * as`.
      if ((symbol.flags & ts.SymbolFlags.ValueModule) !== 0) {
        this.#exports(`${name}: ${each.name}`, symbol);
        continue;
      }
      const type = this.#checker.getTypeOfSymbol(symbol);
      const by = `${name}: ${each.name}`;
      for (const call of type.getCallSignatures()) {
        this.#given([call], by);
        this.#methods(this.#awaited(call.getReturnType()), `${by}()`);
      }
      for (const made of type.getConstructSignatures()) {
        this.#given([made], `${name}: new ${each.name}`);
        this.#methods(made.getReturnType(), by);
      }
    }
  }

  #methods(type: ts.Type, by: string): void {
    for (const method of type.getProperties()) {
      const [declared] = method.declarations ?? [];
      if (declared === undefined || !isOurs(declared)) continue;
      const { name } = declared as ts.NamedDeclaration;
      if (name !== undefined && ts.isPrivateIdentifier(name)) continue;
      const signatures = this.#checker.getTypeOfSymbol(method).getCallSignatures();
      this.#given(signatures, `${by}.${method.name}`);
    }
  }

  /** What a function gives in the end, whose methods are called as well. */
  #awaited(type: ts.Type): ts.Type {
    const isPromise = type.symbol?.name === "Promise";
    const [inner] = isPromise ? this.#checker.getTypeArguments(type as ts.TypeReference) : [];
    return inner ?? type;
  }

  #given(signatures: readonly ts.Signature[], by: string): void {
    for (const { parameters } of signatures) {
      for (const each of parameters) {
        this.#type(this.#checker.getTypeOfSymbol(each), `${by}(${each.name})`);
      }
    }
  }

  #type(type: ts.Type, by: string): void {
    if (this.#seen.has(type)) return;
    this.#seen.add(type);
    if (type.isUnionOrIntersection()) for (const each of type.types) this.#type(each, by);
    const bound = this.#checker.getBaseConstraintOfType(type);
    if (bound !== undefined) this.#type(bound, by);
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return;
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const [declared] = property.declarations ?? [];
      if (declared === undefined || !isOurs(declared)) continue;
      const of = this.#checker.getTypeOfSymbol(property);
      if ((property.flags & ts.SymbolFlags.Optional) !== 0) this.#note(property, declared, of, by);
      this.#type(of, `${by}.${property.name}`);
    }
    for (const index of this.#checker.getIndexInfosOfType(type)) this.#type(index.type, `${by}[]`);
    for (const each of this.#checker.getTypeArguments(type as ts.TypeReference)) {
      this.#type(each, `${by}[]`);
    }
  }

  #note({ name }: ts.Symbol, declared: ts.Node, type: ts.Type, by: string): void {
    // A property that only carries a type, under a symbol that is declared and never made.
    if (name.startsWith("__@")) return;
    const key = nameOf(declared);
    const noted = this.#found.get(key) ?? { by, optional: new Set(), strict: new Set() };
    this.#found.set(key, noted);
    noted.optional.add(name);
    if (!this.#takesUndefined(type)) noted.strict.add(name);
  }

  /** What may be missing has, to the compiler, another type than what may be `undefined`. */
  #takesUndefined(type: ts.Type): boolean {
    const nothing = this.#checker.getUndefinedType();
    const isAny = (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
    return isAny || type === nothing || (type.isUnion() && type.types.includes(nothing));
  }
}

function isOurs(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(SRC);
}

/** The file, and the named type that a property stands in. */
function nameOf(property: ts.Node): string {
  let node: ts.Node = property.parent;
  const isNamed = () =>
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionLike(node) ||
    ts.isSourceFile(node);
  while (!isNamed()) node = node.parent;
  const name = (node as ts.NamedDeclaration).name?.getText() ?? "constructor";
  return `${relative(SRC, property.getSourceFile().fileName)}: ${name}`;
}
