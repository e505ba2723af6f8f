/** The shapes that definitions and options are checked with: `import * as shapes`, so that a bundle holds only those that it uses. */
export { SETTINGS } from "./vocabulary/directive.js";
export * from "./vocabulary/shapes.js";
