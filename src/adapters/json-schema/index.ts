/**
 * Tool arguments validated against JSON Schema: `import { jsonSchema } from
 * "reckoner/json-schema"`.
 */
export { jsonSchema } from "./json-schema.js";
