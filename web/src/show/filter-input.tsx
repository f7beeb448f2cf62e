import { TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { usePlace, useSetQuery } from '../frame/place.ts';

interface FilterInputProps {
  label?: string;
  placeholder?: string;
}

/** Keeps what is typed as `q` in the address, where a reload and a copied link find it. */
export function FilterInput({ label = 'Filter by name', placeholder = label }: FilterInputProps): ReactElement {
  const { q = '' } = usePlace().query;
  const setQuery = useSetQuery();
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      value={q}
      onChange={(event) => {
        setQuery({ q: event.currentTarget.value });
      }}
    />
  );
}
