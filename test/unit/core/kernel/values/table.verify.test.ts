// A Table costs what is new in it, and not what is there.
import "../../../../support/work.js";

import { it } from "vitest";
import {
  emptyTable,
  sealJson,
  type Table,
  tableSet,
} from "../../../../../src/core/kernel/values/index.js";
import { expectFlat } from "../../../../support/work.js";

it("a table is changed and sealed at the cost of what is new, not of what is there", () =>
  expectFlat(
    (count) => {
      let table: Table<{ readonly n: number }> = emptyTable();
      for (let i = 0; i < count; i++) table = tableSet(table, `k${i}`, { n: i });
      sealJson(table);
      return () => {
        for (let i = 0; i < count; i++) {
          table = tableSet(table, `k${i}`, { n: -i });
          sealJson(table);
        }
      };
    },
    1_000,
    8_000,
    // There is a level of rows more.
    2,
  ));
