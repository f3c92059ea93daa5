import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classes } from '#ui/components/classes.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { type PaletteEntry, rememberEntry, usePaletteEntries } from './entries.ts';
import styles from './Palette.module.css';

const texts = laterWords.palette;
const MAX_QUERY_LENGTH = 200;

interface PaletteProps {
  readonly path: string;
  readonly onClose: () => void;
}

/** Dialog that finds pages, runs, series, searches, presets and commands by a few letters. */
export function Palette({ path, onClose }: PaletteProps) {
  return (
    <ModalOverlay className={classes(styles.scrim)} isOpen isDismissable onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Modal className={classes(styles.modal)}>
        <Dialog className={classes(styles.dialog)} aria-label={words.app.find}>
          <PaletteList path={path} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Roles of ARIA's combobox with a list. HTML elements with these roles have their own look and keys, so they are not used. */
const ROLES = {
  combobox: { role: 'combobox', 'aria-expanded': true },
  listbox: { role: 'listbox' },
  group: { role: 'group' },
  option: { role: 'option' },
} as const;

/** Steps of the arrow keys. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/**
 * Field and list of the palette: a combobox whose list is always open. The focus stays in the field, which names the active entry.
 * react-aria's Autocomplete is not used. Its file has contexts that every list uses, so it would become a part of the first screen.
 */
function PaletteList({ path, onClose }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const listId = useId();
  const entries = usePaletteEntries(query, path);
  const index = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosen),
  );
  const active = entries[index];
  const choose = (entry: PaletteEntry): void => {
    rememberEntry(entry);
    onClose();
    entry.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS.get(event.key);
    if (step !== undefined) setChosen(entries[(index + step + entries.length) % entries.length]?.id ?? null);
    else if (event.key === 'Enter' && active !== undefined && !event.nativeEvent.isComposing) choose(active);
    else return;
    event.preventDefault();
  };
  const toOptionId = ({ id }: PaletteEntry): string => `${listId}-${entries.findIndex((entry) => entry.id === id)}`;
  const activeId = active === undefined ? undefined : toOptionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  // Keys act through the field.
  const takePointer = (entry: PaletteEntry) => ({ onClick: () => choose(entry), onPointerMove: () => setChosen(entry.id) });
  return (
    <>
      <input
        className={styles.input}
        type="text"
        {...ROLES.combobox}
        aria-label={texts.field}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={texts.field}
        maxLength={MAX_QUERY_LENGTH}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- [the dialog is for this field]
        autoFocus
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.list} {...ROLES.listbox} id={listId} aria-label={texts.results}>
        {[...Map.groupBy(entries, ({ group }) => group)].map(([group, ofGroup]) => (
          <div key={group} {...ROLES.group} className={styles.group} aria-labelledby={`${listId}-${group}`}>
            <div className={styles.title} id={`${listId}-${group}`}>
              {texts.groups[group]}
            </div>
            {ofGroup.map((entry) => (
              <Option key={entry.id} entry={entry} id={toOptionId(entry)} isActive={entry.id === active?.id} {...takePointer(entry)} />
            ))}
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <p className={styles.none} aria-live="polite">
          {texts.none}
        </p>
      ) : null}
    </>
  );
}

interface OptionProps {
  readonly entry: PaletteEntry;
  readonly id: string;
  readonly isActive: boolean;
  readonly onClick: () => void;
  readonly onPointerMove: () => void;
}

function Option({ entry: { label, about }, id, isActive, ...pointer }: OptionProps) {
  return (
    <div {...ROLES.option} {...pointer} id={id} aria-selected={isActive} tabIndex={-1} className={styles.item}>
      <span className={styles.label}>{label}</span>
      {about === '' ? null : <span className={styles.about}>{about}</span>}
    </div>
  );
}
