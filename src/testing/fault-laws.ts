/** The laws under faults: whatever goes wrong, what was promised holds, and the journal can be read. */
import fc from "fast-check";
import { isReckonerError, type Reasoner, ReckonerError } from "../core/kernel/index.js";
import { type FaultPlan, faultPlan } from "./fault-plan.js";
import { goesOn, isItsFold } from "./journal-run-laws.js";
import { hold, type LawOptions, type PropertyLaw, type Subject, same } from "./property-law.js";
import { type Script, worldScript } from "./script.js";
import { type AroundRun, type LiveRun, live } from "./scripted-host.js";
import type { AppendFault, OnAppend } from "./text-journal.js";

/** One process of a run, and the texts of the journals that it went on from; it may begin the run. */
export interface Process<Output, Context> extends LiveRun<Output, Context> {
  readonly from: ReadonlyMap<string, string> | undefined;
}

/** All processes of one run, one after the other. */
export interface Survived<Output, Context> {
  readonly processes: readonly Process<Output, Context>[];
  /** The last process, around which nothing goes wrong. */
  readonly last: LiveRun<Output, Context>;
}

type Texts = ReadonlyMap<string, string>;

/** Runs a reasoner through a plan of faults, resuming it after each, until nothing goes wrong any more. */
export async function surviving<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  plan: FaultPlan,
  options: LawOptions<Input>,
): Promise<Survived<Output, Context>> {
  const jumps = new Map(plan.jumps.map(({ seq, ms }) => [seq, ms]));
  const processes: Process<Output, Context>[] = [];
  let texts: Texts | undefined;
  const go = async (onAppend?: OnAppend) => {
    // A header that is torn is no journal yet: the run begins anew.
    const begun = texts !== undefined && (texts.get("") ?? "").includes("\n");
    const around: AroundRun = {
      jumps,
      asTheyAre: true,
      ...(onAppend === undefined ? {} : { onAppend }),
    };
    const from = begun ? texts : undefined;
    const lived = await live(reasoner, input, script, options, from, around);
    processes.push({ ...lived, from });
    texts = new Map(lived.journal.texts);
    return lived;
  };
  for (const { at, reached } of plan.crashes) {
    const died = new Error("The process died.");
    await go((number, text) =>
      number === at ? { written: partOf(text, reached), error: died } : undefined,
    );
  }
  const { failure, takeover } = plan;
  if (failure !== undefined) {
    const error = Object.assign(new Error(`${failure.code}: it failed`), { code: failure.code });
    await go((number, text): AppendFault | undefined =>
      number === failure.at
        ? { written: failure.short ? partOf(text, "part") : "", error }
        : undefined,
    );
  }
  if (takeover !== undefined) {
    await go(async (number, _text, all) => {
      if (number !== takeover || !(all.get("") ?? "").includes("\n")) return undefined;
      const around = { asTheyAre: true };
      const from = new Map(all);
      const other = await live(reasoner, input, script, options, from, around);
      processes.push({ ...other, from });
      const moved = other.journal.text !== all.get("");
      for (const [path, text] of other.journal.texts) all.set(path, text);
      if (!moved) return undefined;
      return {
        written: "",
        error: new ReckonerError("journal.conflict", "Another process went on."),
      };
    });
  }
  const last = await go();
  return { processes, last };
}

function partOf(text: string, reached: "nothing" | "part" | "all"): string {
  if (reached === "nothing") return "";
  return reached === "all" ? text : text.slice(0, Math.floor(text.length / 2));
}

/**
 * The laws under faults (P1, P2, P6), and that faults are the same each time.
 * @param plans Default: {@link faultPlan}
 */
export function faultLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
  plans: fc.Arbitrary<FaultPlan> = faultPlan(),
): readonly PropertyLaw[] {
  type Check = (
    survived: Survived<Output, Context>,
    again: () => Promise<Survived<Output, Context>>,
    reasoner: Reasoner<Input, Output, Context>,
  ) => void | Promise<void>;
  const faulty = (name: string, check: Check): PropertyLaw => {
    const reasoners = subject instanceof fc.Arbitrary ? subject : fc.constant(subject);
    const script = options.script ?? worldScript({ maxMoves: 12 });
    const property = fc.asyncProperty(
      reasoners,
      options.input,
      script,
      plans,
      async (reasoner, input, script_, plan) => {
        const go = () => surviving(reasoner, input, script_, plan, options);
        await check(await go(), go, reasoner);
      },
    );
    return { name, property: property as unknown as PropertyLaw["property"] };
  };
  return [
    faulty(
      "under any faults the journal is whole, and replays identical",
      async ({ last }, _again, reasoner) => {
        await isItsFold(reasoner, last, "the run that survived");
      },
    ),
    faulty("under any faults nothing that is settled begins again", ({ processes }) => {
      for (const process of processes)
        if (process.from !== undefined) goesOn(process, process.from);
    }),
    faulty(
      "under any faults a tool that may not be repeated begins once",
      ({ processes }, _again, reasoner) => {
        const repeatable = Object.values(reasoner.tools).some(
          (tool) => tool.kind === "execute" && (tool.idempotent || tool.retries > 0),
        );
        if (repeatable) return;
        const begun = processes.flatMap((process) => process.begun);
        const twice = begun.find((key, i) => begun.indexOf(key) !== i);
        hold(twice === undefined, () => `${twice} began twice`);
      },
    ),
    faulty("under any faults a write is repeated as it was, under its key", ({ processes }) => {
      const known = new Map<string, string>();
      for (const { key, operations } of processes.flatMap(({ written }) => written)) {
        const before = known.get(key) ?? operations;
        hold(before === operations, () => `${key} wrote ${before}, and then ${operations}`);
        known.set(key, operations);
      }
    }),
    faulty("what cannot be written is said with a code", ({ processes }) => {
      for (const { thrown } of processes) {
        if (thrown === undefined) continue;
        hold(isReckonerError(thrown), () => `a process ended with ${String(thrown)}`);
      }
    }),
    faulty("the same faults give the same bytes", async ({ last }, again) => {
      same(
        [...last.journal.texts],
        [...(await again()).last.journal.texts],
        "two runs of one plan",
      );
    }),
  ];
}
