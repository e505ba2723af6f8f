/** Lets TypeScript accept imports of CSS files, which the build bundles. */
declare module "*.css";
