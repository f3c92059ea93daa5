import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '#workers/requestBytes.ts';
import { judgeUpgrade, type UpgradeAnswer, type UpgradeOptions, upgradeRequest } from './handshake.ts';
import { LEAN_OFFER } from './permessageDeflate.ts';

/** The key of RFC 6455, 1.2. */
const nonce = (): Buffer => Buffer.from('the sample nonce');
const PLAIN: UpgradeOptions = { origin: null, protocols: [], deflate: null };
const FULL: UpgradeOptions = { origin: 'https://shop.example', protocols: ['chat', 'superchat'], deflate: LEAN_OFFER };
const EXTENSION = 'permessage-deflate; server_no_context_takeover';

const answer = (changes: Partial<UpgradeAnswer> = {}): UpgradeAnswer => ({
  status: 101,
  upgrade: 'websocket',
  connection: 'Upgrade',
  accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
  protocol: undefined,
  extensions: undefined,
  ...changes,
});

describe('an Upgrade request', () => {
  it('has the headers of RFC 6455, 4.1, and the answer that it expects', () => {
    expect(upgradeRequest(FULL, nonce)).toEqual({
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        Origin: 'https://shop.example',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol': 'chat, superchat',
        'Sec-WebSocket-Extensions': 'permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits',
      },
      accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
      options: FULL,
    });
  });

  it('says nothing of what is not wanted', () => {
    expect(Object.keys(upgradeRequest(PLAIN, nonce).headers)).toEqual([
      'Connection',
      'Upgrade',
      'Sec-WebSocket-Version',
      'Sec-WebSocket-Key',
    ]);
  });

  it('has 16 random bytes as its key', () => {
    const keys = Array.from({ length: 100 }, () => upgradeRequest(PLAIN, randomBytes).headers['Sec-WebSocket-Key'] ?? '');
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(16);
  });

  it('is one of HTTP/1.1, over headers of the plan', () => {
    const { headers } = upgradeRequest(PLAIN, nonce);
    const planned = { connection: 'close', Cookie: 'a=b', 'sec-websocket-version': '8' };
    const request = buildRequest({
      method: 'GET',
      targetUrl: 'http://shop.example/',
      path: '/chat',
      headers: [planned, headers],
      body: null,
    });
    const lines = request.bytes.toString().split('\r\n');
    expect(lines[0]).toBe('GET /chat HTTP/1.1');
    expect(lines.slice(1).sort()).toEqual(
      [
        '',
        '',
        'Connection: Upgrade',
        'Cookie: a=b',
        'Host: shop.example',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
        'Upgrade: websocket',
      ].sort(),
    );
  });
});

describe('an answer', () => {
  it.each([
    ['as in RFC 6455, 1.3', PLAIN, answer(), { protocol: null, deflate: null }],
    ['in other letters', PLAIN, answer({ upgrade: 'WebSocket', connection: 'keep-alive, UPGRADE' }), {}],
    ['in two lines', PLAIN, answer({ connection: 'keep-alive\nupgrade' }), {}],
    ['with a subprotocol', FULL, answer({ protocol: 'superchat' }), { protocol: 'superchat', deflate: null }],
    [
      'with compression',
      FULL,
      answer({ protocol: 'chat', extensions: EXTENSION }),
      { protocol: 'chat', deflate: { serverKeepsContext: false, serverWindowBits: 15, clientWindowBits: 15 } },
    ],
    ['without an extension in its list', PLAIN, answer({ extensions: '' }), { deflate: null }],
  ])('%s is taken', (_what, options, given, agreed) => {
    expect(judgeUpgrade(upgradeRequest(options, nonce), given)).toMatchObject({ fault: null, ...agreed });
  });

  it.each([
    ['of another status', PLAIN, answer({ status: 200 }), 'WS_NOT_UPGRADED'],
    ['that sends elsewhere', PLAIN, answer({ status: 302, upgrade: undefined }), 'WS_NOT_UPGRADED'],
    ['without Upgrade', PLAIN, answer({ upgrade: undefined }), 'WS_BAD_UPGRADE'],
    ['that upgrades to something else', PLAIN, answer({ upgrade: 'h2c' }), 'WS_BAD_UPGRADE'],
    ['that upgrades to two things', PLAIN, answer({ upgrade: 'websocket, h2c' }), 'WS_BAD_UPGRADE'],
    ['without Connection', PLAIN, answer({ connection: undefined }), 'WS_BAD_CONNECTION'],
    ['whose connection does not change', PLAIN, answer({ connection: 'keep-alive, upgraded' }), 'WS_BAD_CONNECTION'],
    ['without Sec-WebSocket-Accept', PLAIN, answer({ accept: undefined }), 'WS_BAD_ACCEPT'],
    ['to another key', PLAIN, answer({ accept: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }), 'WS_BAD_ACCEPT'],
    ['in other letters than its key', PLAIN, answer({ accept: 'S3PPLMBITXAQ9KYGZZHZRBK+XOO=' }), 'WS_BAD_ACCEPT'],
    ['that accepts twice', PLAIN, answer({ accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=\ns3pPLMBiTxaQ9kYGzzhZRbK+xOo=' }), 'WS_BAD_ACCEPT'],
    ['with a subprotocol that nobody asked for', PLAIN, answer({ protocol: 'chat' }), 'WS_BAD_PROTOCOL'],
    ['with another subprotocol', FULL, answer({ protocol: 'Chat' }), 'WS_BAD_PROTOCOL'],
    ['with two subprotocols', FULL, answer({ protocol: 'chat, superchat' }), 'WS_BAD_PROTOCOL'],
    ['with an empty subprotocol', FULL, answer({ protocol: '' }), 'WS_BAD_PROTOCOL'],
    ['without a subprotocol', FULL, answer(), 'WS_NO_PROTOCOL'],
    ['with an extension that nobody offered', PLAIN, answer({ extensions: EXTENSION }), 'WS_BAD_EXTENSION'],
    ['with an extension that does not follow from the offer', FULL, answer({ protocol: 'chat', extensions: 'mux' }), 'WS_BAD_EXTENSION'],
  ])('%s is refused', (_what, options, given, fault) => {
    expect(judgeUpgrade(upgradeRequest(options, nonce), given)).toEqual({ fault });
  });
});
