import type { Check } from './check.ts';

/** Holdfast is tested with this version; workers run TypeScript sources and SQLite's native part as this version does. */
const TESTED_MAJOR = 24;

export const nodeVersion: Check<string> = {
  id: 'nodeVersion',
  about: 'Node.js',
  probe: () => process.versions.node,
  judge(version) {
    const tested = Number(version.split('.')[0]) === TESTED_MAJOR;
    return {
      level: tested ? 'ok' : 'info',
      title: `Node.js ${version}`,
      evidence: `Holdfast is tested with Node.js ${TESTED_MAJOR}.`,
      matters: tested
        ? 'The figures of this version are known.'
        : 'Another version may be faster or slower at sending: compare only runs made with the same one.',
      remedy: null,
    };
  },
};
