import { describe, expect, it } from 'vitest';
import { findPinnedAddresses, readPin } from './pins.ts';

describe('findPinnedAddresses', () => {
  it.each([
    ['shop.example:443:10.0.0.7', { host: 'shop.example', port: 443, address: '10.0.0.7' }],
    ['Shop.Example:80:[2001:db8::7]', { host: 'shop.example', port: 80, address: '2001:db8::7' }],
    ['shop.example:80:2001:db8::7', { host: 'shop.example', port: 80, address: '2001:db8::7' }],
    ['[::1]:80:127.0.0.1', { host: '[::1]', port: 80, address: '127.0.0.1' }],
    ['shop.example:10.0.0.7', null],
    ['shop.example:0:10.0.0.7', null],
    ['shop.example:65536:10.0.0.7', null],
    ['shop.example:80:other.example', null],
    ['shop.example:80:10.0.0', null],
    ['shop.example/x:80:10.0.0.7', null],
    ['', null],
  ])('uses readPin, which parses or refuses “%s”', (text, pin) => {
    expect(readPin(text)).toEqual(pin);
  });

  it('applies only to the same host and port', () => {
    const pins = ['shop.example:443:10.0.0.7', 'shop.example:443:10.0.0.8', 'shop.example:80:10.0.0.9'];
    const of = (url: string) => findPinnedAddresses(pins, new URL(url));
    expect([of('https://SHOP.example/x'), of('http://shop.example/'), of('https://shop.example:8443/'), of('https://a.example/')]).toEqual([
      ['10.0.0.7', '10.0.0.8'],
      ['10.0.0.9'],
      null,
      null,
    ]);
    expect(findPinnedAddresses(undefined, new URL('http://shop.example/'))).toBeNull();
  });
});
