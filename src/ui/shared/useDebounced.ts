import { useEffect, useEffectEvent, useState } from 'react';

const DEBOUNCE_MS = 250;

/** Returns the value once `key` has not changed for 250 ms. The first value is returned immediately. */
export function useDebounced<T>(value: T, key: unknown = value): T {
  const [debounced, setDebounced] = useState(value);
  const update = useEffectEvent((_key: unknown) => setDebounced(value));
  useEffect(() => {
    const timer = setTimeout(() => update(key), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return debounced;
}
