import type { RunningLabFacts } from '#core/base/lab/listing.ts';
import type { Preset } from './schema.ts';

/** What answers may say of a running practice server. */
export type LabPlaces = Pick<RunningLabFacts, 'folder' | 'control' | 'addresses'>;

const PLACES = /\{lab\.(?:(folder|control)|host\.([^{}]+))\}/g;

/**
 * The answers that a running practice server calls for, those of questions that are not asked now included. In a text `{lab.folder}`
 * is where its files lie, `{lab.control}` where it is asked about itself, and `{lab.host.Oracle}` host and port of the address with
 * that label, empty when it has none.
 */
export function labAnswersOf({ labAnswers }: Pick<Preset, 'labAnswers'>, lab: LabPlaces): Record<string, string | number> {
  const placeOf = (_text: string, fact: 'folder' | 'control' | undefined, label: string): string =>
    fact === undefined ? hostOf(lab, label) : lab[fact];
  return Object.fromEntries(
    Object.entries(labAnswers).map(([id, answer]) => [id, typeof answer === 'string' ? answer.replace(PLACES, placeOf) : answer]),
  );
}

function hostOf({ addresses }: LabPlaces, label: string): string {
  const url = addresses.find((address) => address.label === label)?.url ?? '';
  return /^[a-z]+:\/\/([^/]+)/.exec(url)?.[1] ?? '';
}

/** The same of a practice server as a screen knows it; none of one that does not run. */
export function labAnswersWhileRunning(
  preset: Pick<Preset, 'labAnswers'>,
  {
    folder,
    control,
    addresses,
  }: Omit<LabPlaces, 'folder' | 'control'> & { readonly folder: string | null; readonly control: string | null },
): Record<string, string | number> {
  return folder === null || control === null ? {} : labAnswersOf(preset, { folder, control, addresses });
}
