// Hosts over drivers: one that keeps its driver, and one that throws it away after each take and keeps rows.
import {
  type Arrived,
  type InFlight,
  type Owed,
  openDriver,
  openFold,
  perform,
  type RunDriver,
} from "reckoner/driver";
import type { DriverHost, HostedRun } from "reckoner/testing";

/** Sees each take: all lines so far, what was owed, and the driver. */
type Watch = (lines: readonly string[], owed: Owed, driver: RunDriver) => void;

/** A snapshot, and the number of lines up to its mark. */
interface Kept {
  readonly text: string;
  readonly lines: number;
}

/** How long a driver lives: as long as its run, or for one take, opened anew from all lines or the newest snapshot. */
export type Lifetime = "run" | "take" | "snapshot";

/** A host of drivers that live so long. */
export function rowHost(
  lifetime: Lifetime,
  watch?: (reasoner: HostedRun["reasoner"], run: HostedRun["run"]) => Watch,
): DriverHost {
  return ({ reasoner, run, options, ports, clock, listen }) =>
    new Promise((resolve, reject) => {
      // In a database: rows, written in one transaction for each take.
      const lines: string[] = [];
      const rows = new Map<string, string>();
      let snapshot: Kept | undefined;
      const aborts = new Map<string, AbortController>();
      let driver = openDriver(reasoner, run, options);
      const seen = watch?.(reasoner, run);
      let isOver = false;
      let cancelTimer = () => {};
      const again = (inFlight: InFlight) => {
        const fold = openFold([reasoner], options);
        const [header] = lines as [string];
        fold.take(header);
        const from = lifetime === "snapshot" ? snapshot?.lines : undefined;
        if (from !== undefined) {
          fold.skipTo((snapshot as Kept).text, rows, lines[from - 1] as string);
        }
        for (const line of lines.slice(from ?? 1)) fold.take(line);
        return fold.driver(JSON.parse(JSON.stringify(inFlight)));
      };
      const take = (arrived: readonly Arrived[]) => {
        if (isOver) return;
        try {
          const owed = driver.take(arrived, clock.now());
          if (owed.broken !== undefined) throw owed.broken.thrown;
          lines.push(...owed.lines);
          seen?.([...lines], owed, driver);
          if (owed.snapshot !== undefined) {
            for (const [name, make] of owed.snapshot.rows) rows.set(name, make());
            snapshot = { text: owed.snapshot.text, lines: lines.length };
          }
          if (lifetime !== "run") driver = again(driver.inFlight);
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
