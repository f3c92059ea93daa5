import { expect, it } from 'vitest';
import { errorMessages } from './responseErrors.ts';

it.each([
  ['<div role="alert">Somebody <b>else</b> has saved it</div>', ['Somebody else has saved it']],
  ['<div class="flash error" id="flash_error">Invalid user</div>', ['Invalid user']],
  ['<ul class="errorlist"><li>Required</li><li>Too long</li></ul>', ['Required Too long']],
  ['<div class=notifyproblem>Attempt &amp; quiz are closed</div>', ['Attempt & quiz are closed']],
  ['<div class="errorExplanation"><div><p>Subject is empty</p></div> twice</div> after', ['Subject is empty twice']],
  ['<div class="alert alert-danger">No</div><p class="form-errors">Not so</p>', ['No', 'Not so']],
  ['<input name="title" aria-invalid="true"><input aria-invalid="false" name="b">', ['invalid: title']],
  ['<p class="error">never closed', ['never closed']],
  ['<div role="alert" class="alert alert-success">Saved</div>', []],
  ['<div role="alert"></div><div class="error"> \n </div><div class="error">!</div>', []],
  ['<div class="error" style="display: none">Hidden</div><p class="error d-none">Too</p><p hidden class=error>x</p>', []],
  ['<script>var a = "<div class=error>text</div>"</script><template><p class="error">x</p></template>', []],
  ['<p class="terror errors-none">Words</p><a class="alert-link">Danger</a>', []],
  ['<div class="error"><script>run()</script>Words</div>', ['Words']],
])('errorMessages: %s shows %j', (html, messages) => expect(errorMessages(html)).toEqual(messages));

it('errorMessages: returns at most five messages', () => {
  expect(errorMessages('<p class=error>No</p>'.repeat(100_000))).toHaveLength(5);
  expect(errorMessages('<div class="error">'.repeat(100_000))).toEqual([]);
  expect(errorMessages(`<p class=error>${'x'.repeat(1_000_000)}`)[0]).toHaveLength(240);
});
