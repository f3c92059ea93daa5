import { HoldfastError } from '#core/base/errors.ts';
import { type GivenOptions, type LabListing, unknownLabError } from '#core/base/lab/listing.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { quote } from '#core/base/text.ts';
import { contestLab } from './contest/contest.ts';
import { examLab } from './exam/lab.ts';
import type { Lab } from './lab.ts';
import { withLink } from './link/withLink.ts';
import { nodeVsGunicornLab } from './node-vs-gunicorn/lab.ts';
import { registrationLab } from './registration/lab.ts';
import { schoolSiteLab } from './school-site/lab.ts';
import { surveyLab } from './survey-lab/lab.ts';

/** All practice servers in the order in which they are listed. */
export const LABS: readonly Lab[] = [contestLab, nodeVsGunicornLab, registrationLab, schoolSiteLab, surveyLab, examLab].map(withLink);

/** Returns a practice server by name. Throws `NO_SUCH_LAB` with the existing names in its hint. */
export function findLab(name: string): Lab {
  const lab = LABS.find((candidate) => candidate.name === name);
  if (lab) return lab;
  throw unknownLabError(
    name,
    LABS.map((knownLab) => knownLab.name),
  );
}

/** Returns the description of each practice server, and what this machine lacks for it. */
export function listLabs(environment: NodeJS.ProcessEnv): Promise<LabListing[]> {
  return Promise.all(
    LABS.map(async ({ name, title, story, options, missing }) => ({
      name,
      title,
      story,
      options,
      missing: [...(await missing(environment))],
    })),
  );
}

/** Parses `NAME --option value …`. Throws `NO_SUCH_LAB` or `BAD_OPTION`. The values are checked when the practice server is started. */
export function readLabArguments(words: readonly string[]): { lab: Lab; given: GivenOptions } {
  const [name = '', ...rest] = words;
  if (name.startsWith('-')) throw badArguments(`Name the practice server before its options, not ${name}.`);
  const lab = findLab(name);
  const givenOptions: Record<string, string | boolean> = {};
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    const [, option, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) throw badArguments(`${quote(word)} is not an option. Write options as --name value.`);
    const next = rest[index + 1];
    if (value !== undefined) setOwn(givenOptions, option, value);
    else if (next !== undefined && !next.startsWith('--')) {
      setOwn(givenOptions, option, next);
      index += 1;
    } else if (getOwn(lab.options, option)?.kind === 'switch') setOwn(givenOptions, option, true);
    else setOwn(givenOptions, option, '');
  }
  return { lab, given: givenOptions };
}

function badArguments(message: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_OPTION',
    message,
    hint: 'For example: contest --shards 4. `holdfast lab --list` shows the options of each.',
  });
}
