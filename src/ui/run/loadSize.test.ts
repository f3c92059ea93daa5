import { expect, it } from 'vitest';
import { loadSizeText } from './loadSize.ts';

it('loadSizeText: returns the level and duration of each kind of load', () => {
  expect(loadSizeText({ unit: 'connections', highest: 60, seconds: 30, requests: null })).toBe('60 connections for 30 s');
  expect(loadSizeText({ unit: 'users', highest: 1, seconds: 12, requests: null })).toBe('1 user for 12 s');
  expect(loadSizeText({ unit: 'arrivalsPerSecond', highest: 200, seconds: 300, requests: null })).toBe('200/s for 5 min');
  expect(loadSizeText({ unit: 'connections', highest: 10, seconds: null, requests: 1_000 })).toBe('1,000 requests over 10 connections');
  expect(loadSizeText(null)).toBe('');
});
