// A store in DuckDB obeys the laws of every store of decisions.
import { it } from "vitest";
import { storeLaws } from "../../../../../src/decisions/laws/store-laws.js";
import { duckdbStore } from "../../../../support/duckdb.js";
import { storeRules } from "../../../../support/store-rules/index.js";

for (const law of [...storeLaws(duckdbStore), ...storeRules(duckdbStore)]) it(law.name, law.check);
