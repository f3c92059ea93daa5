import { formatCount, formatSeconds } from '#core/base/units.ts';
import type { SealCheck } from './sealCheck.ts';
import { instantText } from './words.ts';

export const NOT_PROVED_TITLE = 'What the signature does not prove';

/** Sentences about what no signature can prove. */
export const NOT_PROVED = [
  'Who sealed it: compare the words of the key with its owner, by telephone for example.',
  'That the measurement was honest: who runs Holdfast can change the program, or measure another server under the same name.',
  'When it was measured: the times are those of the clock of that computer.',
  'That the server still behaves like this.',
];

/** The outcome of a check in words. */
export interface SealCheckText {
  readonly isGood: boolean;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Describes the result of the check of a sealed file. */
export function describeSealCheck(check: SealCheck): SealCheckText {
  switch (check.state) {
    case 'notSealed':
      return {
        isGood: false,
        title: 'No seal was found.',
        lines: ['The file does not end with a seal. Probably it is no sealed file, or its end was changed or cut off.'],
      };
    case 'changed':
      return {
        isGood: false,
        title: 'The file was changed after it was sealed.',
        lines: ['The signature does not fit the file. Nothing in it can be relied on. Ask for the original.'],
      };
    case 'unreadable':
      return {
        isGood: false,
        title: 'The signature fits, but the data cannot be read.',
        lines: [`${check.reason} Probably another program or a later version sealed the file.`, signerLine(check)],
      };
    case 'intact':
      return describeIntact(check);
    default:
      return check satisfies never;
  }
}

function describeIntact(check: Extract<SealCheck, { state: 'intact' }>): SealCheckText {
  const { run, stated, computed, isSamePage, windows, longestWindowSeconds, sealedAt, version } = check;
  const isSameVerdict = stated.outcome === computed.outcome && stated.sentence === computed.sentence;
  const from = `${formatCount(windows)} windows of at most ${formatSeconds(longestWindowSeconds)}`;
  return {
    isGood: isSameVerdict && isSamePage !== false,
    title: !isSameVerdict
      ? 'Unchanged since it was sealed, but the windows give another verdict.'
      : isSamePage === false
        ? 'Unchanged since it was sealed, but the page does not show its data.'
        : 'Unchanged since it was sealed.',
    lines: [
      `Run: “${run.name}”, ${instantText(run.startedAt)}, ${run.targets.join(', ')}`,
      `Verdict: ${stated.sentence}`,
      isSameVerdict ? `Recomputed from ${from}: the same verdict.` : `Recomputed from ${from}: ${computed.sentence}`,
      isSamePage === null
        ? `Holdfast ${version} made the page. This version did not compare it.`
        : isSamePage
          ? 'The page shows what the windows give.'
          : 'The page differs from what the windows give. Rely on the verdict above, not on the page.',
      `Sealed: ${instantText(sealedAt)} by Holdfast ${version}`,
      signerLine(check),
    ],
  };
}

function signerLine({ signer, isOwnKey }: { readonly signer: string; readonly isOwnKey: boolean }): string {
  return `Key: ${signer} (${isOwnKey ? 'this installation' : 'another installation'})`;
}
