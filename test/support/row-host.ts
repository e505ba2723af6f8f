// Hosts over drivers: one that keeps its driver, and one that throws it away after each take and keeps rows.
import { type Arrived, type InFlight, openDriver, openFold, perform } from "reckoner/driver";
import type { DriverHost } from "reckoner/testing";

/** A host whose driver lives as long as the run, or is opened anew for each take. */
export function rowHost(isThrownAway: boolean): DriverHost {
  return ({ reasoner, run, options, ports, clock, listen }) =>
    new Promise((resolve, reject) => {
      // In a database: rows, written in one transaction for each take.
      const lines: string[] = [];
      const aborts = new Map<string, AbortController>();
      let driver = openDriver(reasoner, run, options);
      let isOver = false;
      let cancelTimer = () => {};
      const again = (inFlight: InFlight) => {
        const fold = openFold([reasoner], options);
        for (const line of lines) fold.take(line);
        return fold.driver(JSON.parse(JSON.stringify(inFlight)));
      };
      const take = (arrived: readonly Arrived[]) => {
        if (isOver) return;
        try {
          const owed = driver.take(arrived, clock.now());
          if (owed.broken !== undefined) throw owed.broken.thrown;
          lines.push(...owed.lines);
          if (isThrownAway) driver = again(driver.inFlight);
          for (const { run, id, attempt } of owed.stop)
            aborts.get(`${run} ${attempt} ${id}`)?.abort();
          for (const attempt of [...owed.early, ...owed.begin]) {
            const abort = new AbortController();
            aborts.set(`${attempt.run} ${attempt.attempt} ${attempt.id}`, abort);
            void perform(attempt, ports, abort.signal).then((report) => take([report]));
          }
          cancelTimer();
          if (owed.stands !== "running") {
            isOver = true;
            resolve(lines);
          } else if (owed.more) take([]);
          else if (owed.wakeAt !== undefined) {
            cancelTimer = clock.setTimer(Math.max(0, owed.wakeAt - clock.now()), () => take([]));
          }
        } catch (thrown) {
          isOver = true;
          reject(thrown);
        }
      };
      listen((arrived) => take([arrived]));
      take([]);
    });
}
