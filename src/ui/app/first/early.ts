/**
 * Does again what was pressed, chosen or entered on the first screen before its code was there: to be called once it reacts. React learns of no change that it has not
 * seen, so each is taken back first.
 */
export function redoEarlyInput(): void {
  const { dataset } = document.documentElement;
  if (dataset['screen'] !== 'taken') return;
  delete dataset['screen'];
  const chosen = document.querySelector<HTMLInputElement>('main input:checked');
  if (chosen) {
    chosen.checked = false;
    chosen.click();
  }
  const field = document.querySelector('textarea');
  if (field && field.value !== '') enter(field, field.value);
  for (const button of document.querySelectorAll<HTMLElement>('[data-pressed]')) {
    delete button.dataset['pressed'];
    button.click();
  }
}

function enter(field: HTMLTextAreaElement, text: string): void {
  field.value = '';
  // By the setter that all have: by that of the element itself, React would take it for a change of its own.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
