/** Styles are files of the build's. */
declare module "*.css";
