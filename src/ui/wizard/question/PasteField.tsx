import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { Text } from 'react-aria-components/Text';
import { takeWizardSeed, useWizardSeed, type WizardSeed } from '#ui/app/wizardSeed.ts';
import { words } from '#ui/words/words.ts';
import styles from './PasteField.module.css';
import { PasteForm } from './PasteForm.tsx';
import type { Pasted } from './readDropped.ts';
import { readDropped, readFile, type Dropped } from './readDropped.ts';

const EMPTY: Pasted = { text: '', fileName: null, tooLarge: false };

/** Takes over what another tool's user has at hand: a command line, an address, a recording, a document, or a plan. */
export function PasteField() {
  const [pasted, setPasted] = useState<Pasted>(EMPTY);
  const zone = useRef<HTMLDivElement>(null);
  const seed = useWizardSeed();
  const say = words.wizard.question;
  const [taken, setTaken] = useState<WizardSeed | null>(null);
  if (seed?.kind === 'file' && seed !== taken) {
    setTaken(seed);
    setPasted({ text: seed.text, fileName: seed.name, tooLarge: false });
  }
  useEffect(() => {
    if (seed?.kind === 'file') takeWizardSeed();
  }, [seed]);
  const drop = async (items: Dropped): Promise<void> => {
    const next = await readDropped(items);
    if (next !== null) setPasted(next);
  };
  const dropBeside = useEffectEvent(async (file: File) => {
    setPasted(await readFile(file));
    zone.current?.scrollIntoView({ block: 'start' });
  });
  useEffect(() => {
    const onDrop = (event: DragEvent): void => {
      const [file] = event.dataTransfer?.files ?? [];
      const isInZone = event.target instanceof Node && zone.current?.contains(event.target) === true;
      if (file !== undefined && !isInZone) void dropBeside(file);
    };
    window.addEventListener('drop', onDrop);
    return () => window.removeEventListener('drop', onDrop);
  }, []);
  return (
    <DropZone
      ref={zone}
      className={({ isDropTarget }) => (isDropTarget ? `${styles.zone} ${styles.over}` : (styles.zone ?? ''))}
      getDropOperation={() => 'copy'}
      onDrop={({ items }) => void drop(items)}
    >
      <Text slot="label" className="only-read-out">
        {say.pasteDrop}
      </Text>
      <PasteForm pasted={pasted} onChange={setPasted} />
    </DropZone>
  );
}
