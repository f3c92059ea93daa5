// Read by whatever Node the machine has, however old: only syntax and globals of the first Node with modules, and no imports.

export const oldestNode = 20;
/** Runs the sources, as Electron does. */
export const leastNode = 24;
/** Brought where there is only an older one: its sockets take a tenth less of the processor for each request than those of Node 24. */
export const fetchedNode = 26;

/** The major number of a version such as `20.11.1` or `v24.1.0`; 0 when it is none. */
export function majorOf(version) {
  const found = /^v?(\d+)\./.exec(version);
  return found ? Number(found[1]) : 0;
}

/** The sentence for someone whose Node is too old to go on, or undefined. */
export function tooOld(version) {
  if (majorOf(version) >= oldestNode) return undefined;
  return (
    'Holdfast needs Node ' +
    oldestNode +
    ' or newer and this is Node ' +
    version +
    ': install the current LTS release of Node and try again.'
  );
}

/** Ends the process with that sentence when the Node that runs it is too old. */
export function refuseOldNode() {
  const sentence = tooOld(process.versions.node);
  if (!sentence) return;
  console.error(sentence);
  process.exit(1);
}
