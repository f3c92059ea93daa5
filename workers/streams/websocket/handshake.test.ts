import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '#workers/requestBytes.ts';
import { judgeUpgrade, type UpgradeResponse, type UpgradeOptions, upgradeRequest } from './handshake.ts';

/** The key of RFC 6455, section 1.2. */
const nonce = (): Buffer => Buffer.from('the sample nonce');
const PLAIN: UpgradeOptions = { origin: null, protocols: [] };
const FULL: UpgradeOptions = { origin: 'https://shop.example', protocols: ['chat', 'superchat'] };
const EXTENSION = 'permessage-deflate; server_no_context_takeover';

const response = (changes: Partial<UpgradeResponse> = {}): UpgradeResponse => ({
  status: 101,
  upgrade: 'websocket',
  connection: 'Upgrade',
  accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
  protocol: undefined,
  extensions: undefined,
  ...changes,
});

describe('upgradeRequest', () => {
  it('has the headers of RFC 6455, section 4.1, and states the accept value to expect', () => {
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

  it('omits the headers of options that are not set', () => {
    expect(Object.keys(upgradeRequest(PLAIN, nonce).headers)).toEqual([
      'Connection',
      'Upgrade',
      'Sec-WebSocket-Version',
      'Sec-WebSocket-Key',
      'Sec-WebSocket-Extensions',
    ]);
  });

  it('has a key of 16 random bytes', () => {
    const keys = Array.from({ length: 100 }, () => upgradeRequest(PLAIN, randomBytes).headers['Sec-WebSocket-Key'] ?? '');
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(16);
  });

  it('builds an HTTP/1.1 request whose headers override those of the plan', () => {
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
        'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
        'Upgrade: websocket',
      ].sort(),
    );
  });
});

describe('judgeUpgrade', () => {
  it.each([
    ['a response as in RFC 6455, section 1.3', PLAIN, response(), { protocol: null, windowBits: null }],
    ['a response in another case', PLAIN, response({ upgrade: 'WebSocket', connection: 'keep-alive, UPGRADE' }), {}],
    ['a response with Connection in two lines', PLAIN, response({ connection: 'keep-alive\nupgrade' }), {}],
    ['a response with a subprotocol', FULL, response({ protocol: 'superchat' }), { protocol: 'superchat', windowBits: null }],
    ['a response with compression', FULL, response({ protocol: 'chat', extensions: EXTENSION }), { protocol: 'chat', windowBits: 15 }],
    ['a response with an empty extension list', PLAIN, response({ extensions: '' }), { windowBits: null }],
  ])('accepts %s', (_what, options, given, agreed) => {
    expect(judgeUpgrade(upgradeRequest(options, nonce), given)).toMatchObject({ fault: null, ...agreed });
  });

  it.each([
    ['a response with another status', PLAIN, response({ status: 200 }), 'WS_NOT_UPGRADED'],
    ['a redirect', PLAIN, response({ status: 302, upgrade: undefined }), 'WS_NOT_UPGRADED'],
    ['a response without Upgrade', PLAIN, response({ upgrade: undefined }), 'WS_BAD_UPGRADE'],
    ['an upgrade to another protocol', PLAIN, response({ upgrade: 'h2c' }), 'WS_BAD_UPGRADE'],
    ['an upgrade to two protocols', PLAIN, response({ upgrade: 'websocket, h2c' }), 'WS_BAD_UPGRADE'],
    ['a response without Connection', PLAIN, response({ connection: undefined }), 'WS_BAD_CONNECTION'],
    ['a Connection header without `upgrade`', PLAIN, response({ connection: 'keep-alive, upgraded' }), 'WS_BAD_CONNECTION'],
    ['a response without Sec-WebSocket-Accept', PLAIN, response({ accept: undefined }), 'WS_BAD_ACCEPT'],
    ['the accept value of another key', PLAIN, response({ accept: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }), 'WS_BAD_ACCEPT'],
    ['an accept value in another case', PLAIN, response({ accept: 'S3PPLMBITXAQ9KYGZZHZRBK+XOO=' }), 'WS_BAD_ACCEPT'],
    ['two accept values', PLAIN, response({ accept: 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=\ns3pPLMBiTxaQ9kYGzzhZRbK+xOo=' }), 'WS_BAD_ACCEPT'],
    ['a subprotocol that was not requested', PLAIN, response({ protocol: 'chat' }), 'WS_BAD_PROTOCOL'],
    ['a subprotocol in another case', FULL, response({ protocol: 'Chat' }), 'WS_BAD_PROTOCOL'],
    ['two subprotocols', FULL, response({ protocol: 'chat, superchat' }), 'WS_BAD_PROTOCOL'],
    ['an empty subprotocol', FULL, response({ protocol: '' }), 'WS_BAD_PROTOCOL'],
    ['a missing subprotocol', FULL, response(), 'WS_NO_PROTOCOL'],
    ['an extension that was not offered', FULL, response({ protocol: 'chat', extensions: 'mux' }), 'WS_BAD_EXTENSION'],
  ])('refuses %s', (_what, options, given, fault) => {
    expect(judgeUpgrade(upgradeRequest(options, nonce), given)).toEqual({ fault });
  });
});
