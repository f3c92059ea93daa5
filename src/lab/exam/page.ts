import type { Response } from 'express';
import { escapeHtml } from '../web/html.ts';
import type { Item } from './attempts.ts';

/** Sends a page of the exam. `main` is HTML. */
export function show(response: Response, title: string, main: string): void {
  response
    .type('text/html')
    .set('Cache-Control', 'no-store')
    .send(
      `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>\n<body>\n<h1>${escapeHtml(title)}</h1>\n${main}\n</body></html>\n`,
    );
}

/** Returns the HTML of hidden fields, from their names and values. */
export function hidden(fields: Readonly<Record<string, string | number>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">`)
    .join('\n');
}

/** Returns the input controls for a question: a text field or radio buttons. `first` is the value of the first choice. */
export function controls(
  { text, choices, answer }: Item,
  field: { readonly text: string; readonly choice: string; readonly first: number },
): string {
  const question = `<p>${escapeHtml(text)}</p>`;
  if (choices.length === 0) return `${question}\n<textarea name="${field.text}" rows="4">${escapeHtml(answer ?? '')}</textarea>`;
  const buttons = choices.map((choice, index) => {
    const checked = choice === answer ? ' checked="checked"' : '';
    return `<p><input type="radio" name="${field.choice}" id="c${index}" value="${index + field.first}"${checked}> <label for="c${index}">${escapeHtml(choice)}</label></p>`;
  });
  return `${question}\n${buttons.join('\n')}`;
}

/** Returns the pupil's answer in a submitted form: the text, or the text of the choice; '' if there is none. */
export function answerIn(item: Item, sent: string, first: number): string {
  if (item.choices.length === 0) return sent.trim();
  return sent === '' ? '' : (item.choices[Number(sent) - first] ?? '');
}
