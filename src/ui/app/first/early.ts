/**
 * Repeats clicks, choices and text that were entered on the first screen before hydration; call it after hydration. React ignores changes
 * from before it, so each change is reverted first.
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
  // Uses the setter of the prototype: React tracks the element's own setter and would ignore the event.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
