import type { Finding } from '#core/result/schema.ts';
import { Select, type Choice } from '../components/Select.tsx';
import { words } from '../words/words.ts';

const texts = words.results.findings;
const NONE = 'none';
/** A list is read, not studied: the whole sentence stands among the findings. */
const MOST_LETTERS = 60;

interface RangeSelectProps {
  readonly findings: readonly Finding[];
  /** Place of the one that is shaded. */
  readonly chosen: number | null;
  readonly onChoose: (index: number | null) => void;
}

/** Which finding is shaded in the charts, chosen where the charts are. */
export function RangeSelect({ findings, chosen, onChoose }: RangeSelectProps) {
  const choices = findings.flatMap(({ sentence, range }, index): Choice<string>[] =>
    range === null ? [] : [{ value: String(index), label: texts.numbered(index + 1, clipped(sentence)) }],
  );
  if (choices.length === 0) return null;
  return (
    <Select
      label={texts.shade}
      value={chosen === null ? NONE : String(chosen)}
      choices={[{ value: NONE, label: texts.shadeNone }, ...choices]}
      onChange={(value) => onChoose(value === NONE ? null : Number(value))}
    />
  );
}

function clipped(sentence: string): string {
  return sentence.length > MOST_LETTERS ? `${sentence.slice(0, MOST_LETTERS - 1)}…` : sentence;
}
