/**
 * Describes the process that owns a lock, and finds out if that process is still alive. A process id is not
 * enough: it is reused after a while, and after every boot. It must not know what is locked.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { codeOf } from "./file-calls.js";

/** A process, told apart from every other one before and after it. */
export interface Owner {
  readonly pid: number;
  /** The boot of the machine: Linux's own id, or "~" and its time in seconds where there is none. */
  readonly boot: string;
  /** When the process started, in the machine's ticks since its boot; only where /proc says so. */
  readonly started?: string;
  readonly host: string;
  /** The namespace that its process id is of; only where /proc says so. */
  readonly space?: string;
  /** Tells the lock from others of that process. */
  readonly token: string;
}

/** `elsewhere`: on another host, or in another container of this one, where it cannot be checked. */
export type Fate = "alive" | "dead" | "elsewhere";

/** Boot times that were worked out from the clock differ a little; two boots differ by more. */
const BOOT_TOLERANCE_S = 300;

/** This process as the owner of a lock. */
export function thisProcess(token: string): Owner {
  const started = processOf(process.pid)?.started;
  const space = pidSpace();
  return {
    pid: process.pid,
    boot: bootId(),
    ...(started === undefined ? {} : { started }),
    host: hostname(),
    ...(space === undefined ? {} : { space }),
    token,
  };
}

/** The fate of an owner. */
export function fateOf(owner: Owner): Fate {
  if (owner.host !== hostname()) return "elsewhere";
  if (!sameBoot(owner.boot, bootId())) return "dead";
  // Containers that share a host name have process ids of their own: another's means another process.
  if (owner.space !== undefined && owner.space !== (pidSpace() ?? owner.space)) return "elsewhere";
  if (!exists(owner.pid)) return "dead";
  const seen = processOf(owner.pid);
  if (seen === undefined) return "alive";
  // A killed process that its parent has not waited for keeps its pid, as a zombie.
  if (seen.state === "Z" || seen.state === "X") return "dead";
  return owner.started === undefined || owner.started === seen.started ? "alive" : "dead";
}

/** An owner from a lock's text; `undefined` where it is not one. */
export function parseOwner(text: string): Owner | undefined {
  let value: Partial<Record<keyof Owner, unknown>> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, boot, started, host, space, token } = value;
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return undefined;
  if (typeof boot !== "string" || typeof host !== "string") return undefined;
  if (started !== undefined && typeof started !== "string") return undefined;
  if (space !== undefined && typeof space !== "string") return undefined;
  // The token becomes part of a file's name.
  if (typeof token !== "string" || !/^[\w-]{1,64}$/.test(token)) return undefined;
  return value as Owner;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists and belongs to another user.
    return codeOf(thrown) !== "ESRCH";
  }
}

function processOf(pid: number): { state: string; started: string } | undefined {
  const text = slurp(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the program's name in brackets and may hold anything; the third is the
  // state, the twenty-second the time of the start.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function bootId(): string {
  const id = slurp("/proc/sys/kernel/random/boot_id")?.trim();
  return id ? id : `~${Math.round(Date.now() / 1000 - uptime())}`;
}

/** The namespace of this process's id, as "pid:[4026531836]"; absent where there is no /proc. */
function pidSpace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

function sameBoot(a: string, b: string): boolean {
  if (a === b) return true;
  return (
    a.startsWith("~") &&
    b.startsWith("~") &&
    Math.abs(Number(a.slice(1)) - Number(b.slice(1))) < BOOT_TOLERANCE_S
  );
}

function slurp(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
