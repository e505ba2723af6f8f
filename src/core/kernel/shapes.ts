/** The shapes that definitions and options are checked with: `import * as shapes`, so that a bundle holds only those that it uses. */
export * from "./vocabulary/shapes.js";
