/**
 * `reckoner resume`: continues a run from its journal, with decisions and messages from the command
 * line.
 */
import { checkReasoner } from "../../core/journal/index.js";
import type { ApprovalDecision } from "../../core/kernel/vocabulary/index.js";
import { headOf, type Run, resume, viewOf } from "../../runtime/index.js";
import { Configs } from "../config/config-of-journal.js";
import { journalFile } from "../files/journal-files.js";
import { parseJsonFlag } from "../files/json-flag.js";
import { about, usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { printEnd } from "../terminal/print-end.js";
import { driveLive } from "./live.js";

/** Flags of `resume`. */
export interface ResumeFlags {
  readonly config?: string;
  readonly old?: readonly string[];
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
  readonly edit?: readonly string[];
  readonly answer?: readonly string[];
  readonly reason?: string;
  readonly message?: readonly string[];
  readonly model?: string;
  readonly upgrade?: boolean;
  readonly acceptLoss?: boolean;
  readonly json?: boolean;
}

/** Resumes. @returns the exit code */
export async function resumeCommand(io: Io, journal: string, flags: ResumeFlags): Promise<number> {
  const approvals = approvalsOf(flags);
  const { message: messages = [], model, upgrade = false, acceptLoss = false } = flags;
  try {
    const header = await viewOf(await headOf(journalFile(io, journal))).header();
    const configs = new Configs(io, flags);
    const config = await configs.for(header);
    const versions = [config.reasoner, ...(await configs.older())] as const;
    checkReasoner(versions, header);
    const end = await driveLive(
      io,
      config,
      { ...flags, journal },
      (host): Run =>
        resume(versions, journalFile(io, journal), {
          ...host,
          approvals,
          messages,
          upgrade,
          acceptLoss,
        }),
    );
    const next = {
      journal,
      ...(flags.config === undefined ? {} : { config: flags.config }),
      ...(model === undefined ? {} : { model }),
    };
    return printEnd(io, end, next, flags.json ?? false);
  } catch (thrown) {
    throw about(journal, thrown);
  }
}

function approvalsOf(flags: ResumeFlags): { readonly [id: string]: ApprovalDecision } {
  const { approve = [], reject = [], edit = [], answer = [], reason } = flags;
  if (reason !== undefined && reject.length === 0) {
    throw usageError("--reason says why something is rejected; pass --reject ID with it.");
  }
  const decided = new Map<string, ApprovalDecision>();
  const decide = (id: string, decision: ApprovalDecision) => {
    if (decided.has(id)) throw usageError(`The approval ${id} is decided twice; decide it once.`);
    decided.set(id, decision);
  };
  for (const id of approve) decide(id, { approve: true });
  for (const id of reject) {
    decide(id, { approve: false, ...(reason === undefined ? {} : { reason }) });
  }
  const valued = (flag: string, words: readonly string[], part: "input" | "value") => {
    for (const each of words) {
      const at = each.indexOf("=");
      if (at < 1) {
        throw usageError(`${flag} ${each} is not ID=JSON; write ${flag} approval/0/0='{…}'.`);
      }
      const id = each.slice(0, at);
      decide(id, { approve: true, [part]: parseJsonFlag(`${flag} ${id}`, each.slice(at + 1)) });
    }
  };
  valued("--edit", edit, "input");
  valued("--answer", answer, "value");
  return Object.fromEntries(decided);
}
