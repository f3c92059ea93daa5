import { describe, expect, it } from 'vitest';
import { mainModule } from './mainModule.ts';

describe('the module around a script', () => {
  it('passes on what the script exports, and tells of journeys only', () => {
    const main = mainModule(
      'export const options = {};\nexport function setup() {}\nexport default function () {}\nexport async function browse() {}\nfunction hidden() {}\nexport function handleSummary() {}\n',
      'file:///tmp/script.js',
      { TOKEN: "it's" },
    );
    expect(main.split('\n').filter((line) => line.startsWith('export'))).toEqual([
      'export const options = script.options;',
      'export const setup = script.setup;',
      'export default told(script.default);',
      'export const browse = told(script.browse);',
      'export function handleSummary() {',
    ]);
    const lines = main.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['const environment = {"TOKEN":"it\'s"};', "const script = require('file:///tmp/script.js');"]),
    );
    expect(lines.indexOf('Object.assign(__ENV, environment);'), 'before the script is read').toBeLessThan(
      lines.findIndex((line) => line.includes('require(')),
    );
    expect(lines, 'k6 makes __ENV anew for journeys').toContain('    Object.assign(__ENV, environment);');
  });
});
