// The API reference, from the docstrings of what each entry point exports: `npm run docs`. What is
// exported and says nothing about itself fails it.
import { readFileSync } from "node:fs";
import { Converter } from "typedoc";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** The source of each entry point, and the name under which it is imported. */
const names = new Map(
  Object.entries(exports)
    .filter(([, target]) => typeof target === "object")
    .map(([path, target]) => [
      (target.node ?? target.default).replace("./dist/", "src/").replace(/\.js$/, ".ts"),
      path.replace(".", "reckoner"),
    ]),
);

/** Modules are called as they are imported, not after their files. */
function nameAsImported(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      for (const end of [".ts", "/index.ts"]) {
        module.name = names.get(`src/${module.name}${end}`) ?? module.name;
      }
    }
  });
}

export default {
  entryPoints: [...names.keys()],
  tsconfig: "tsconfig.src.json",
  plugin: ["typedoc-plugin-markdown", nameAsImported],
  out: "docs/api",
  name: "reckoner: the API",
  readme: "none",
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  skipErrorChecking: true,
  outputFileStrategy: "members",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  treatWarningsAsErrors: true,
  validation: { invalidLink: true, notDocumented: true, notExported: false },
  requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable"],
};
