import { limits } from '@agent-trust/contracts';
import { closeness } from './closeness.ts';

/** How candidates are found and ranked. */
export const ranking = {
  /** Reciprocal rank fusion adds 1 / (k + rank) over the rankings; 60 as in Cormack, Clarke and Büttcher, SIGIR 2009. */
  fusionConstant: 60,
  /** What a word counts by where a capability has it. */
  fieldStrength: { name: 1, alias: 0.9, phrase: 0.75, description: 0.5 },
  /** A word that no capability uses is taken for a misspelt one from this trigram similarity on. */
  spellingSimilarityMin: 0.4,
  spellingGuessesMax: 2,
  /** What another form of a word (see `words.ts`) counts for the word itself. */
  otherFormSimilarity: 0.95,
  /** Words of a name that are looked at; a name of 50 characters seldom has more. */
  wordsMax: 16,
  /** Capabilities whose labels are compared because their texts have the words. */
  textCandidatesMax: 40,
  /** Learned names and aliases that one kind of index may bring up: they grow with the number of agents, the work must not. */
  learnedCandidatesMax: 200,
  /** Share of a name's meaning (its words by weight) that a learned name must have in common with it to be looked at. */
  learnedOverlapMin: 0.5,
  /** The best candidates so far, whose categories raise their siblings. */
  siblingsOfBest: 10,
} as const;

const { fieldStrength } = ranking;
const strengthIn = (search: string, lexeme: string): string => `CASE
      WHEN ${search} @@ (${lexeme} || ':A')::tsquery THEN ${fieldStrength.name}
      WHEN ${search} @@ (${lexeme} || ':B')::tsquery THEN ${fieldStrength.alias}
      WHEN ${search} @@ (${lexeme} || ':C')::tsquery THEN ${fieldStrength.phrase}
      ELSE ${fieldStrength.description} END`;
const stemOf = (word: string): string => `(ts_lexize('pg_catalog.english_stem', american(${word})))[1]`;
const numbersIn = (text: string): string => `btrim(regexp_replace(${text}, '[^0-9]+', ' ', 'g'))`;
const reciprocal = (rank: string): string => `1.0 / (${ranking.fusionConstant} + ${rank})`;
// A ranking holds those only that there is some evidence for.
const reciprocalRank = (evidence: string): string =>
  `CASE WHEN ${evidence} > 0 THEN ${reciprocal(`rank() OVER (ORDER BY ${evidence} DESC NULLS LAST)`)} ELSE 0 END`;

/**
 * Ranks the capabilities that a name is close to. One statement, read from the top: what the words are and weigh; which capabilities
 * have them in their texts; which labels look like the name; how similar each candidate is; and the rankings, fused.
 *
 * $1 the name's words as one text, $2 the same one by one, $3 universes whose learned names may be offered, that of the question first,
 * $4 the numbers in the name, $5 and $6 the ranking of an embedding model (canonical names and their similarity), $7 and $8 other forms
 * of the words with their place in $2.
 */
export const rankSql = `
  WITH word AS (
    SELECT DISTINCT ON (lexeme) place, word, quote_literal(lexeme) AS lexeme
    FROM (SELECT w.place, w.word, ${stemOf('w.word')} AS lexeme
          FROM unnest($2::text[]) WITH ORDINALITY AS w(word, place)) stemmed
    WHERE lexeme IS NOT NULL ORDER BY lexeme, place
  ), known AS MATERIALIZED (
    SELECT w.place, c.name, ${strengthIn('c.search', 'w.lexeme')} AS strength
    FROM word w JOIN capability c ON c.search @@ w.lexeme::tsquery
  ), usage AS (
    SELECT w.place, w.word, count(k.name) AS uses FROM word w LEFT JOIN known k USING (place) GROUP BY w.place, w.word
  ), form AS (
    SELECT DISTINCT f.place, stem.lexeme
    FROM unnest($7::int[], $8::text[]) AS f(place, word) CROSS JOIN LATERAL (SELECT ${stemOf('f.word')} AS lexeme) stem
    JOIN usage u ON u.place = f.place AND u.uses = 0
  ), guess AS MATERIALIZED (
    SELECT DISTINCT ON (place, lexeme) place, quote_literal(lexeme) AS lexeme, similarity, uses
    FROM (
      SELECT f.place, f.lexeme, ${ranking.otherFormSimilarity}::float8 AS similarity,
        (SELECT count(*) FROM capability c WHERE c.search @@ quote_literal(f.lexeme)::tsquery) AS uses
      FROM form f
      UNION ALL
      SELECT u.place, s.lexeme, s.similarity, s.uses
      FROM usage u CROSS JOIN LATERAL (
        SELECT ${stemOf('v.word')} AS lexeme, public.similarity(v.word, u.word) AS similarity, v.uses
        FROM words_like(u.word) v ORDER BY similarity DESC, v.word LIMIT ${ranking.spellingGuessesMax}
      ) s
      WHERE u.uses = 0 AND s.similarity >= ${ranking.spellingSimilarityMin}
    ) guessed
    WHERE lexeme IS NOT NULL AND uses > 0 ORDER BY place, lexeme, similarity DESC
  ), term AS MATERIALIZED (
    SELECT place, lexeme, lexeme::tsquery AS query, 1::float8 AS similarity FROM word
    UNION ALL SELECT place, lexeme, lexeme::tsquery, similarity FROM guess
  ), weight AS MATERIALIZED (
    -- The rarer a word is among the capabilities, the more it says (inverse document frequency); all of them together weigh 1.
    SELECT place, idf / sum(idf) OVER () AS weight
    FROM (SELECT u.place, ln(1 + (SELECT greatest(count(*), 1) FROM capability)
            / greatest(u.uses, (SELECT max(g.uses) FROM guess g WHERE g.place = u.place), 0.5)::float8) AS idf
          FROM usage u) weighed
  ), coverage AS MATERIALIZED (
    SELECT name, sum(weight * strength) AS coverage
    FROM (SELECT place, name, max(strength) AS strength
          FROM (SELECT place, name, strength FROM known
                UNION ALL
                SELECT g.place, c.name, g.similarity * ${strengthIn('c.search', 'g.lexeme')}
                FROM guess g JOIN capability c ON c.search @@ g.lexeme::tsquery) found
          GROUP BY place, name) posting
    JOIN weight USING (place) GROUP BY name
  ), heavy AS (
    -- A name with none of these words cannot have enough of the others (prefix filtering, Chaudhuri et al., ICDE 2006).
    SELECT string_agg(t.lexeme, '|')::tsquery AS query
    FROM (SELECT place, sum(weight) OVER (ORDER BY weight DESC, place) - weight AS heavier FROM weight) w JOIN term t USING (place)
    WHERE w.heavier <= 1 - ${ranking.learnedOverlapMin}
  ), label AS (
    SELECT label, name, search FROM labels_like($1)
    UNION
    SELECT l.label, l.name, l.search FROM capability_label l
    JOIN (SELECT name FROM coverage ORDER BY coverage DESC, name LIMIT ${ranking.textCandidatesMax}) best USING (name)
    UNION
    SELECT name, name, search FROM learned_capabilities_like($1, $3, ${ranking.learnedCandidatesMax})
    UNION
    SELECT alias, name, search FROM learned_aliases_like($1, $3, ${ranking.learnedCandidatesMax})
    UNION
    (SELECT name, name, search FROM learned_capability
     WHERE search @@ (SELECT query FROM heavy) AND universe = ANY ($3::text[]) LIMIT ${ranking.learnedCandidatesMax})
    UNION
    (SELECT alias, name, search FROM learned_alias
     WHERE search @@ (SELECT query FROM heavy) AND universe = ANY ($3::text[]) LIMIT ${ranking.learnedCandidatesMax})
  ), compared AS (
    -- Names that differ in a number are names of different things, however alike the rest is.
    SELECT l.name, public.similarity(l.label, $1) AS trigrams, m.recall, least(1, m.matched / greatest(length(l.search), 1)) AS precision
    FROM label l CROSS JOIN LATERAL (
      SELECT coalesce(sum(w.weight * met.similarity), 0) AS recall, coalesce(sum(met.similarity), 0) AS matched
      FROM (SELECT t.place, max(t.similarity) AS similarity FROM term t WHERE l.search @@ t.query GROUP BY t.place) met
      JOIN weight w USING (place)
    ) m
    WHERE $4 = '' OR ${numbersIn('l.label')} IN ('', $4)
  ), alike AS (
    SELECT name, max(trigrams) AS trigrams, max(recall) AS recall,
      max(CASE WHEN recall + precision > 0 THEN 2 * recall * precision / (recall + precision) ELSE 0 END) AS words
    FROM compared GROUP BY name
  ), evidence AS (
    SELECT name, coalesce(a.trigrams, 0) AS trigrams, coalesce(a.words, 0) AS label_words,
      -- A learned name has no texts beside its label.
      coalesce(c.coverage, greatest(a.recall, a.trigrams), 0) AS coverage, e.similarity AS embedding
    FROM coverage c FULL JOIN alike a USING (name)
    FULL JOIN unnest($5::text[], $6::float8[]) AS e(name, similarity) USING (name)
  ), candidate AS (
    SELECT e.name, s.category, e.trigrams, greatest(e.label_words, e.trigrams) AS label, (e.label_words + e.coverage) / 2 AS words, e.embedding,
      greatest(e.embedding, (greatest(e.label_words, e.trigrams) + e.coverage) / 2,
        CASE WHEN s.name IS NOT NULL THEN ${closeness.coverageAlone} * e.coverage END) AS similarity
    FROM evidence e LEFT JOIN capability s ON s.name = e.name
    WHERE s.name IS NOT NULL OR (
      -- Not what is an alias where it is learned or asked from: that leads to another name.
      EXISTS (SELECT FROM learned_capability k WHERE k.name = e.name AND k.universe = ANY ($3::text[]) AND NOT EXISTS (
        SELECT FROM learned_alias a WHERE a.alias = k.name AND a.universe IN (k.universe, ($3::text[])[1])))
      AND NOT EXISTS (SELECT FROM capability_label l WHERE l.label = e.name))
  ), ranked AS (
    SELECT name, category, similarity, label,
      ${reciprocalRank('words')} + ${reciprocalRank('trigrams')} + ${reciprocalRank('embedding')} AS fused
    FROM candidate
  ), sibling AS (
    SELECT category, ${reciprocal('rank() OVER (ORDER BY sum(fused) DESC)')} AS fused
    FROM (SELECT category, fused FROM ranked ORDER BY fused DESC, name LIMIT ${ranking.siblingsOfBest}) best
    WHERE category IS NOT NULL GROUP BY category
  )
  SELECT r.name, round(least(1, r.similarity)::numeric, 4)::float8 AS similarity, r.label AS "labelSimilarity"
  FROM ranked r LEFT JOIN sibling USING (category)
  WHERE r.similarity >= CASE WHEN r.category IS NULL THEN ${closeness.learnedCloseMin} ELSE ${closeness.closeMin} END
  ORDER BY r.fused + coalesce(sibling.fused, 0) DESC, r.similarity DESC, r.name LIMIT ${limits.capabilityCandidatesMax}`;
