/**
 * A model that is none, for the Game of 24: it proposes steps, judges what is left and plays to the
 * end, each a little better than chance. The same request (its seed included) gets the same answer.
 */
import { ModelError, type ModelPort, textOf } from "reckoner";
import { randomOf } from "../random.js";
import { type Fraction, type Move, movesFrom, reaches24 } from "./arithmetic.js";

/** How good the player is. */
export interface Skill {
  /** Chance that a step is chosen with an eye to 24, rather than at random. */
  readonly insight: number;
  /** Chance that a step is computed wrongly. */
  readonly slips: number;
  /** Chance that what is left is judged rightly, rather than by guess. */
  readonly judgement: number;
}

/** Chosen once, by the look of it; not fitted to anything. */
export const skill: Skill = { insight: 0.15, slips: 0.05, judgement: 0.6 };

/** Makes the model. */
export function simulatedPlayer(how: Partial<Skill> = {}): ModelPort {
  const { insight, slips, judgement } = { ...skill, ...how };
  return {
    name: "simulated player",
    async generate({ messages, settings }) {
      const prompt = textOf(messages.at(-1));
      const random = randomOf(`${settings?.seed ?? ""}\n${prompt}`);
      const left = (/Left: (.*)/.exec(prompt)?.[1] ?? "").split(" ");
      const step = (from: readonly Fraction[]): Move => {
        const all = movesFrom(from);
        const good = random() < insight ? all.filter((move) => reaches24(move.left)) : [];
        const among = good.length > 0 ? good : all;
        return among[Math.floor(random() * among.length)] as Move;
      };
      /** As it is written down: sometimes the result is one too many. */
      const written = ({ text }: Move) =>
        random() < slips ? text.replace(/\d+$/, (n) => `${Number(n) + 1}`) : text;
      const answer = prompt.includes("next steps")
        ? proposals(Number(/Propose (\d+)/.exec(prompt)?.[1]), () => step(left)).map(written)
        : prompt.startsWith("Can these")
          ? [verdict(left)]
          : prompt.includes("to the end")
            ? toTheEnd(left)
            : undefined;
      function verdict(numbers: readonly Fraction[]): string {
        // Two numbers are seen at a glance.
        const sees = numbers.length <= 2 || random() < judgement;
        const can = sees ? reaches24(numbers) : random() < 0.5;
        return can ? (sees && random() < 0.5 ? "sure" : "likely") : "impossible";
      }
      function toTheEnd(numbers: readonly Fraction[]): string[] {
        const steps: string[] = [];
        for (let now = numbers; now.length > 1; ) {
          const move = step(now);
          steps.push(written(move));
          now = move.left;
        }
        return steps;
      }
      if (answer === undefined) {
        const message = "The simulated player knows the Game of 24 only.";
        throw new ModelError({ code: "llm.failed", message });
      }
      const text = answer.join("\n");
      const inputTokens = Math.ceil(prompt.length / 4);
      const outputTokens = Math.ceil(text.length / 4);
      return {
        content: [{ type: "text", text }],
        finishReason: "stop",
        usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      };
    },
  };
}

/** Different steps, as many as asked for or as there are. */
function proposals(count: number, draw: () => Move): Move[] {
  const moves = new Map<string, Move>();
  for (let tries = 0; moves.size < count && tries < 10 * count; tries++) {
    const move = draw();
    moves.set(move.text, move);
  }
  return [...moves.values()];
}
