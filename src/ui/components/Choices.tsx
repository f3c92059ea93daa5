import { ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Choices.module.css';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import field from './Field.module.css';

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface SelectProps<V extends string> {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** Whether the label is placed next to the field, as in the header of a card. */
  readonly isBeside?: boolean;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onChange: (value: V) => void;
  readonly help?: ReactNode;
  readonly isDisabled?: boolean;
}

export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hideLabel, isBeside, value, choices, onChange, help, isDisabled = false } = props;
  return (
    <AriaSelect
      className={classes(field.field, isBeside && styles.beside)}
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => {
        const chosenChoice = choices.find((choice) => choice.value === key);
        if (chosenChoice) onChange(chosenChoice.value);
      }}
    >
      <Label className={classes(field.label, hideLabel && 'only-read-out')}>{label}</Label>
      <Button className={classes(styles.button)}>
        <SelectValue className={classes(styles.value)} />
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {help ? (
        <Text slot="description" className={classes(field.help)}>
          {help}
        </Text>
      ) : null}
      <Popover className={classes(styles.popover)}>
        <ListBox className={classes(styles.list)} items={choices.map((choice) => ({ ...choice, id: choice.value }))}>
          {(choice) => (
            <ListBoxItem className={classes(styles.item)} id={choice.id} textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

interface RadioCard<V extends string> {
  readonly value: V;
  /** Accessible name of the card. */
  readonly name: string;
  readonly content: ReactNode;
}

interface RadioCardsProps<V extends string> {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** The selected value; null if none is selected. */
  readonly value: V | null;
  readonly cards: readonly RadioCard<V>[];
  readonly onChange: (value: V) => void;
  /** `cards`: large cards, two per row. `three`: large cards, three per row. `row`: small cards in one row. */
  readonly layout?: 'cards' | 'three' | 'row';
  readonly isDisabled?: boolean;
  readonly help?: ReactNode;
}

/** Radio group that shows each choice as a card. */
export function RadioCards<V extends string>({
  label,
  hideLabel,
  value,
  cards,
  onChange,
  layout = 'cards',
  isDisabled = false,
  help,
}: RadioCardsProps<V>) {
  return (
    <RadioGroup
      className={classes(field.field)}
      value={value}
      onChange={(chosen) => {
        const card = cards.find(({ value: each }) => each === chosen);
        if (card) onChange(card.value);
      }}
      isDisabled={isDisabled}
    >
      <Label className={classes(field.label, hideLabel && 'only-read-out')}>{label}</Label>
      <div className={styles[layout]}>
        {cards.map((card) => (
          <Radio
            key={card.value}
            value={card.value}
            aria-label={card.name}
            className={classes(styles.card, layout === 'row' ? styles.inRow : styles.inCards)}
          >
            <span className={styles.dot} aria-hidden="true" />
            <span className={styles.content}>{card.content}</span>
          </Radio>
        ))}
      </div>
      {help ? (
        <Text slot="description" className={classes(field.help)}>
          {help}
        </Text>
      ) : null}
    </RadioGroup>
  );
}

interface ChoiceTextProps {
  readonly title: ReactNode;
  readonly story: string;
  readonly children?: ReactNode;
}

/** Content of a card in {@link RadioCards}: a title, and its purpose in one or two sentences. */
export function ChoiceText({ title, story, children }: ChoiceTextProps) {
  return (
    <span className={styles.text}>
      <span className={styles.title}>{title}</span>
      <span className={styles.story}>{story}</span>
      {children}
    </span>
  );
}
