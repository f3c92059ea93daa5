import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { unpackedPath } from './unpacked.ts';

it("unpackedPath finds the backend next to a package's archive, and in a checkout in which it was built", () => {
  const inPackage = join(sep, 'opt', 'Holdfast', 'resources', 'app.asar', 'dist', 'node', 'backendProcess.mjs');
  expect(unpackedPath(inPackage)).toBe(
    join(sep, 'opt', 'Holdfast', 'resources', 'app.asar.unpacked', 'dist', 'node', 'backendProcess.mjs'),
  );
  const inCheckout = join(sep, 'home', 'me', 'holdfast', 'dist', 'node', 'backendProcess.mjs');
  expect(unpackedPath(inCheckout)).toBe(inCheckout);
});
