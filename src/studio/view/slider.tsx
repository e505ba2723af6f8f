/** The studio's slider over all events of a run and its child runs. */
import { brief } from "./text.js";

interface SliderProps {
  readonly seq: number;
  readonly last: number;
  readonly type: string;
  readonly goToSeq: (seq: number) => void;
}

export function Slider({ seq, last, type, goToSeq }: SliderProps) {
  return (
    <div class="slider">
      <button
        type="button"
        aria-label="The event before"
        disabled={seq === 0}
        onClick={() => goToSeq(seq - 1)}
      >
        ◂
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={seq}
        aria-label="Event"
        aria-valuetext={`event ${seq}: ${type}`}
        onInput={(event) => goToSeq(Number(event.currentTarget.value))}
      />
      <button
        type="button"
        aria-label="The next event"
        disabled={seq === last}
        onClick={() => goToSeq(seq + 1)}
      >
        ▸
      </button>
      <span class="quiet">
        event {seq} of {last}: {brief(type, 40)}
      </span>
    </div>
  );
}
