import { expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { responseErrors } from './responseErrors.ts';
import { serverCalls } from './serverCalls.ts';

const frame = (script: string, body = ''): string =>
  `<!DOCTYPE html><html><head><title></title><script>${script}</script></head><body>${body}</body></html>`;
const exec = (script: string): string => JSON.stringify({ action: 'send', exec: script });

it.each([
  ['a page', '<p class="error">Not saved</p>', ['Not saved']],
  ['a script in an empty page', frame('parent.app.show_message("No sender in it.","error",0);'), ['No sender in it.']],
  ['a script with quotes of its own kind', frame("toast('error', 'It isn\\'t free');"), ["It isn't free"]],
  ['an object in a call', frame('notify({"type":"danger","text":"Slot is taken"});'), ['Slot is taken']],
  ['the name of a call', frame('window.parent.showError("Slot is taken");'), ['Slot is taken']],
  ['a script in JSON', exec('this.show_message("Quota exceeded","error",0);\nthis.unlock();'), ['Quota exceeded']],
  ['a script alone', '/* reply */ app.alert_box("failure", "Too late for it");', ['Too late for it']],
  ['a member of JSON', '{"errors":["Title is empty"],"id":null}', ['Title is empty']],
  ['a member of an inner object', '{"data":{"error":{"message":"Version is old"}}}', ['Version is old']],
  ['a status', '{"status":"failed","message":"Version is old"}', ['Version is old']],
  ['a status without words', '{"success":false}', ['“success” is false']],
  ['a number of an error', '{"errno":1205}', ['“errno” is 1205']],
])('refusal in a response: finds the reason in %s', (_what, text, messages) => expect(responseErrors(text)).toEqual(messages));

it.each([
  ['a success', frame('parent.app.sent_well("confirmation","Message sent.",["Sent"],false);')],
  ['a warning', frame('app.show_message("The mailbox is almost full","warning",0);')],
  ['code that is only defined', frame('function fail(x) { app.show_message(x, "error"); } app.on("error", fail);')],
  ['a script in a page with words of its own', frame('show("Saving has failed","error")', '<h1>Notes</h1>')],
  ['labels', frame('app.add_label({"error":"An error occurred","loading":"Loading"});')],
  ['JSON without an error', '{"success":true,"errors":[],"error":null,"error_code":0,"status":"ok"}'],
  ['JSON that lists what went wrong elsewhere', '{"items":[{"status":"failed"}],"page":{"errors":3}}'],
  ['a text', 'error'],
  ['a text that is cut off', '{"error":"Not sav'],
])('refusal in a response: finds none in %s', (_what, text) => expect(responseErrors(text)).toEqual([]));

it('serverCalls: finds calls whose arguments are literals, with their source text', () => {
  expect(serverCalls(frame('if (parent.a) { parent.a.say("x (1)", [1, {"b": "]"}], -2.5); } run(x); go();'))).toEqual([
    { name: 'parent.a.say', args: ['x (1)', [1, { b: ']' }], -2.5], text: 'parent.a.say("x (1)", [1, {"b": "]"}], -2.5)' },
    { name: 'go', args: [], text: 'go()' },
  ]);
});

it.each([
  ['calls that never end', (length: number) => frame('a.error("'.repeat(length))],
  ['brackets', (length: number) => frame(`error${'('.repeat(length * 8)}`)],
  ['quotes', (length: number) => frame(`error(${'"\\'.repeat(length * 4)}`)],
  ['names', (length: number) => frame('error.'.repeat(length * 2))],
])('serverCalls: reads %s in time proportional to their length', (_what, made) => {
  expect(measureGrowth((length) => responseErrors(made(length)), 2_000)).toBeLessThan(MAX_GROWTH);
});
