/** The entry `reckoner/json-schema`: tool arguments validated against JSON Schema. */
export { jsonSchema } from "./json-schema.js";
