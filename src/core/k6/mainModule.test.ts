import { describe, expect, it } from 'vitest';
import { mainModule } from './mainModule.ts';

describe('the module around a script', () => {
  it('passes on what the script exports, and tells of journeys only', () => {
    const main = mainModule(
      'export const options = {};\nexport function setup() {}\nexport default function () {}\nexport async function browse() {}\nfunction hidden() {}\nexport function handleSummary() {}\n',
      './script.js',
    );
    expect(main.split('\n').filter((line) => line.startsWith('export'))).toEqual([
      'export const options = script.options;',
      'export const setup = script.setup;',
      'export default told(script.default);',
      'export const browse = told(script.browse);',
      'export function handleSummary() {',
    ]);
    expect(main).toContain("import * as script from './script.js';");
  });
});
