// A store that keeps rows, as a database does, obeys the laws by the core's plans alone.
import { it } from "vitest";
import { storeLaws } from "../../../../src/testing/stores/store-laws.js";
import { rowStore } from "../../../support/row-store.js";

for (const law of storeLaws(rowStore)) it(law.name, law.check);
