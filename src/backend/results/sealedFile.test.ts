import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from '#threads/zlib.ts';
import { describe, expect, it } from 'vitest';
import type { SealCheck } from '#core/presentation/document/sealCheck.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openStore } from '../store/store.ts';
import { planFor } from '../testing/plans.ts';
import { ofOneGenerator, storeRun } from '../testing/storedRun.ts';
import { storeResult } from './resultOf.ts';
import { checkSealed } from './sealedFile.ts';
import { fingerprintWords, openSealKey, readPublicKey, type SealKey } from './sealKey.ts';
import { sealStored } from './sealStored.ts';

const VERSION = '1.2.3';
const AT = new Date(Date.UTC(2026, 0, 2, 9));
const MUTATIONS = 300;

/** Seals a run of ten seconds that failed. */
function sealSmallRun(directory: string, name = 'A <b>run</b>'): { readonly file: Buffer; readonly key: SealKey } {
  const store = openStore(directory);
  try {
    const plan = planFor('http://127.0.0.1:1/', { name, criteria: [{ kind: 'errors', maxShare: 0.01 }] });
    storeRun(store, {
      id: 'small',
      plan,
      windows: ofOneGenerator(repeatedWindows(10, { ok: [{ count: 20, ms: 50 }], failed: { httpError: 9 } })),
    });
    const key = openSealKey(directory);
    return { file: Buffer.from(sealStored(store, storeResult(store, store.find('small')), { version: VERSION, key, at: AT })), key };
  } finally {
    store.close();
  }
}

const DATA = /<template id="holdfast-sealed">([^<]*)<\/template>/;

/** Returns a file of other data and the same page, signed anew with `key`, as a forger can. */
function forge(file: Buffer, key: SealKey, change: (content: Record<string, unknown>) => unknown): Buffer {
  const [, data = ''] = DATA.exec(file.toString()) ?? [];
  const content = change(JSON.parse(brotliDecompressSync(Buffer.from(data, 'base64')).toString()));
  return sign(
    Buffer.from(
      bodyOf(file)
        .toString()
        .replace(data, () => brotliCompressSync(JSON.stringify(content)).toString('base64')),
    ),
    key,
  );
}

function bodyOf(file: Buffer): Buffer {
  return file.subarray(0, file.lastIndexOf('<!-- holdfast-seal'));
}

function sign(body: Buffer, key: SealKey): Buffer {
  const signature = key.sign(Buffer.concat([Buffer.from('holdfast-seal/1\n'), Buffer.from(key.publicHex), body])).toString('hex');
  return Buffer.concat([body, Buffer.from(`<!-- holdfast-seal/1 ${key.publicHex} ${signature} -->\n`)]);
}

describe('checkSealed', () => {
  const directory = temporaryDirectory();
  const { file, key } = sealSmallRun(directory);
  const reader = { version: VERSION, ownKey: readPublicKey(directory) };
  const stranger = openSealKey(temporaryDirectory());

  it('recomputes the verdict and the page of an unchanged file', () => {
    const check = checkSealed(file, reader);
    expect(check).toMatchObject({ state: 'intact', isOwnKey: true, isSamePage: true, windows: 10, longestWindowSeconds: 1 });
    expect(check).toMatchObject({ signer: fingerprintWords(key.publicHex), stated: { outcome: 'failed' } });
    const { stated, computed } = check as Extract<SealCheck, { state: 'intact' }>;
    expect(computed).toEqual(stated);
    expect(checkSealed(file, { version: 'other', ownKey: null })).toMatchObject({ state: 'intact', isOwnKey: false, isSamePage: null });
  });

  it('notices each change of a byte, insertion and removal', () => {
    for (let index = 0; index < MUTATIONS; index += 1) {
      // The changes are spread over the file, and affect each byte of the seal at its end.
      const place = index < 220 ? file.length - 1 - index : Math.floor((file.length * (index - 220)) / (MUTATIONS - 220));
      const changed = Buffer.from(file);
      changed[place] = (changed[place] ?? 0) ^ (1 << (index % 8));
      expect([place, checkSealed(changed, reader).state]).not.toEqual([place, 'intact']);
    }
    expect(checkSealed(Buffer.concat([file, Buffer.from('\n')]), reader).state).toBe('notSealed');
    expect(checkSealed(Buffer.concat([Buffer.from(' '), file]), reader).state).toBe('changed');
    expect(checkSealed(file.subarray(1), reader).state).toBe('changed');
    expect(checkSealed(Buffer.alloc(0), reader).state).toBe('notSealed');
  });

  it('shows that a forger with a key of their own changed the page, the windows or the verdict', () => {
    const page = sign(Buffer.from(bodyOf(file).toString().replace('<body>', '<body><p>Passed</p>')), stranger);
    expect(checkSealed(page, reader)).toMatchObject({ state: 'intact', isOwnKey: false, isSamePage: false });
    const verdict = forge(file, stranger, (content) => ({ ...content, verdict: { outcome: 'passed', sentence: 'Passed.' } }));
    expect(checkSealed(verdict, reader)).toMatchObject({ stated: { outcome: 'passed' }, computed: { outcome: 'failed' } });
  });

  it('rejects hostile data that is signed', () => {
    const states = (change: (content: Record<string, unknown>) => unknown): string =>
      checkSealed(forge(file, stranger, change), reader).state;
    expect(states((content) => content)).toBe('intact');
    expect(states((content) => ({ ...content, plan: { holdfast: 1 } }))).toBe('unreadable');
    expect(states((content) => ({ ...content, windows: ['AAAA'] }))).toBe('unreadable');
    expect(states((content) => ({ ...content, windows: Array.from({ length: 20_001 }, () => 'AAAA') }))).toBe('unreadable');
    expect(states(({ windows, ...content }) => ({ ...content, windows: [...(windows as string[])].toReversed() }))).toBe('unreadable');
    expect(states((content) => ({ ...content, extra: 1 }))).toBe('unreadable');
    expect(states((content) => JSON.parse(JSON.stringify(content).replace('{', '{"__proto__":{"polluted":1},')))).toBe('unreadable');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(states(() => '['.repeat(1_000_000))).toBe('unreadable');
  });

  it('rejects files that are too large, or that unpack to more than the limit', () => {
    const bomb = brotliCompressSync(Buffer.alloc(200_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }).toString('base64');
    const body = bodyOf(file).toString();
    const packed = sign(Buffer.from(body.replace(DATA, () => `<template id="holdfast-sealed">${bomb}</template>`)), stranger);
    expect(checkSealed(packed, reader).state).toBe('unreadable');
    expect(checkSealed(sign(Buffer.alloc(6_000_000, 32), stranger), reader).state).toBe('notSealed');
    expect(checkSealed(sign(Buffer.from('no page'), stranger), reader).state).toBe('unreadable');
  });

  it('is given a page without scripts, requests or foreign markup, which states what the signature does not prove', () => {
    const page = file.toString();
    expect(page).not.toMatch(/<script|<b>run|javascript:|\son\w+=/i);
    expect(page).toContain('content="default-src &#39;none&#39;');
    expect(page).toContain('What the signature does not prove');
  });
});

describe('openSealKey', () => {
  it('creates one key, for its owner only', () => {
    const directory = temporaryDirectory();
    expect(readPublicKey(directory)).toBeNull();
    const { publicHex } = openSealKey(directory);
    expect([openSealKey(directory).publicHex, readPublicKey(directory)]).toEqual([publicHex, publicHex]);
    expect(statSync(join(directory, 'seal.key')).mode & 0o777).toBe(0o600);
    expect(fingerprintWords(publicHex)).toMatch(/^([b-z][aiou][b-z][aiou][b-z](-|$)){6}$/);
  });

  it('reports a damaged key', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'seal.key'), 'damaged');
    expect(() => openSealKey(directory)).toThrow(expect.objectContaining({ code: 'SEAL_KEY_UNUSABLE' }));
  });
});
