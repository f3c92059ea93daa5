import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { createReserve } from '../database.ts';
import { openStore } from '../store.ts';

// Runs as a separate program in a mount namespace, because the small disk is mounted only there.
const [directory = '', reserve = ''] = process.argv.slice(2);
const before = openStore(directory);
before.addAgreement('kept', new Date().toISOString());
before.close();
if (reserve === 'with reserve') createReserve(directory).take();
for (const bytes of [1_000_000, 10_000, 100, 1])
  try {
    for (;;) writeFileSync(join(directory, 'filler'), Buffer.alloc(bytes), { flag: 'a' });
  } catch {
    // The write fails once the disk is full, which ends the loop.
  }

const codeOf = (work: () => void): string => {
  try {
    work();
    return 'done';
  } catch (thrown) {
    return thrown instanceof HoldfastError ? thrown.code : String(thrown);
  }
};
const store = openStore(directory);
const stated = {
  isReadOnly: store.isReadOnly,
  isKept: store.hasAgreement('kept'),
  runs: store.list({ search: '', limit: 1, offset: 0 }).total,
  write: codeOf(() => store.addAgreement('new', new Date().toISOString())),
};
store.close();
// oxlint-disable-next-line holdfast/output -- [a test program prints its result for the test]
process.stdout.write(JSON.stringify({ ...stated, left: readdirSync(directory).filter((name) => name.endsWith('.reserve')) }));
