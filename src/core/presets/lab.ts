import type { RunningLabFacts } from '#core/base/lab/listing.ts';
import type { Preset } from './schema.ts';

/** Facts of a running practice server that answers to questions may use. */
export type LabAddresses = Pick<RunningLabFacts, 'folder' | 'control' | 'addresses'>;

const LAB_PLACEHOLDER_PATTERN = /\{lab\.(?:(folder|control)|host\.([^{}]+))\}/g;

/**
 * Returns the answers for a running practice server, even to questions that do not apply. In texts, `{lab.folder}` is the folder of the
 * server's files, `{lab.control}` is its control address, and `{lab.host.Oracle}` is the host and port of the address with that label, or
 * empty.
 */
export function fillLabAnswers({ labAnswers }: Pick<Preset, 'labAnswers'>, lab: LabAddresses): Record<string, string | number> {
  const placeOf = (_text: string, fact: 'folder' | 'control' | undefined, label: string): string =>
    fact === undefined ? hostOf(lab, label) : lab[fact];
  return Object.fromEntries(
    Object.entries(labAnswers).map(([id, answer]) => [
      id,
      typeof answer === 'string' ? answer.replace(LAB_PLACEHOLDER_PATTERN, placeOf) : answer,
    ]),
  );
}

function hostOf({ addresses }: LabAddresses, label: string): string {
  const url = addresses.find((address) => address.label === label)?.url ?? '';
  return /^[a-z]+:\/\/([^/]+)/.exec(url)?.[1] ?? '';
}

/** Returns the answers to questions that a practice server provides on a screen; none unless the server runs. */
export function labAnswersWhileRunning(
  preset: Pick<Preset, 'labAnswers'>,
  {
    folder,
    control,
    addresses,
  }: Omit<LabAddresses, 'folder' | 'control'> & { readonly folder: string | null; readonly control: string | null },
): Record<string, string | number> {
  return folder === null || control === null ? {} : fillLabAnswers(preset, { folder, control, addresses });
}
