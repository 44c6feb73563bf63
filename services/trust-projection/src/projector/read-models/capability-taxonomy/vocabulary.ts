/*
 * What English words mean to callers, whatever the taxonomy has: words that say nothing, words that say little, and words that mean the
 * same. The words of a trade belong to the terms of a capability (packages/taxonomy/data).
 */

const list = (words: string): string[] => words.trim().split(/\s+/);

/** Words that are left out. */
export const stopWords: ReadonlySet<string> = new Set(
  list(`
  i me my myself we our ours ourselves you your yours he him his she her it its they them their what which who
  whom this that these those am is are was were be been being have has had having do does did doing a an the and
  but if or because as until while of at by for with about against between into through during before after above
  below to from up down in out on off over under again further then once here there when where why how all any
  both each few more most other some such no nor not only own same so than too very s t can will just don should
  now
  `),
);

/** Words that any request may have: what agents call themselves, politeness, times, places, people. They weigh little. */
export const genericWords: readonly string[] = list(`
  external internal outside inside method approach guidance support handling processing related specific general
  common basic advanced pc stuff every thing parser reader analyst curator editor checker finder tracker planner
  consultant guru assistant operator handler worker professional agent bot app application tool service helper
  clone like style system platform software ai api automatic automated automatically smart online virtual maker
  builder creator generator expert specialist advisor manager engine solution provider get give want need make
  let find help look good best new please could would us way people everything something somebody someone one two
  day today tomorrow use using based free simple easy quick fast daily near real live full whole first next last
  own alternative replacement driven powered pro world job jobs work skill team company business london paris
  berlin tokyo york rome madrid lyon hamburg munich vienna amsterdam chicago boston texas california toronto
  sydney dubai singapore beijing shanghai india china japan germany france spain italy uk usa america american
  europe european africa asia canada mexico brazil australia english german french spanish italian dutch
  portuguese chinese japanese korean russian arabic hindi turkish polish swedish monday tuesday wednesday
  thursday friday saturday sunday january february march april june july august september october november
  december tonight weekend week month year morning evening afternoon night minute hour hours now soon later old
  big small large little huge tiny cool great awesome nice perfect top favourite favorite personal modern digital
  electronic main current upcoming recent several few lot many much each another other different various acme inc
  ltd llc gmbh corp co io com net org hello hi hey thanks thank know tell show see go come put set start stop
  keep run call ask onto via per within without over mine yours grandma grandpa mom mum dad mother father wife
  husband brother sister son daughter friend boss man woman guy person folks family kids
`);

/** Words that mean the same, or nearly, when something is asked for: one group a line. */
export const synonymGroups: readonly (readonly string[])[] = `
  photo picture image pic snapshot jpeg jpg
  movie film
  doc docs document paper paperwork
  cv resume
  lawyer attorney solicitor
  doctor physician gp
  drug medicine medication med pill tablet
  cheap cheapest inexpensive
  buy purchase
  car vehicle automobile
  firm company business corporation
  staff employee personnel workforce
  client customer
  job vacancy position
  flat apartment condo
  house home
  pay payment
  fix repair mend
  translate translation interpret
  summarize summary condense digest tldr synopsis recap shorten brief
  write draft compose author
  create generate produce
  detect spot identify recognize discover
  convert transform turn
  monitor watch track observe
  check verify validate inspect
  predict forecast project anticipate
  book reserve
  talk speak speech
  song tune melody
  kid child toddler
  prospect lead
  vendor supplier
  email mail gmail
  parcel package
  courier carrier haulier
  plane flight airline
  error bug defect fault
  answer reply respond
  plan planner schedule
  rate price cost fee fare
  quote estimate
  compare comparison versus vs diff difference
  erase remove delete
  join merge combine
  k8s kubernetes
  i18n internationalization
  l10n localization
  postgres postgresql sql database db
  js javascript
  ts typescript
  py python
  repo repository
  ci cd pipeline
  ml machinelearning
  infra infrastructure
  auth authentication login
  config configuration configure setting settings
  perf performance
  admin administration administrator
  mgmt management
  dev development developer
  ops operations
  hr humanresources
  faq question
  kyc knowyourcustomer
  meds medicine
  ad ads advert advertisement advertising
  biz business
  appt appointment
  calc calculate calculator calculation
  convo conversation
  info information
  intl international
  msg message
  ref reference
  temp temperature
  trans translation
  txt text
  vid video clip footage
  voice speech
  wifi wireless network
  truck lorry
  trash garbage rubbish
  holiday vacation
  fall autumn
  subway metro underground
  pupil student
  teacher tutor
  illness disease sickness
  baby infant
  shop store
  staffing recruiting recruitment hiring
  wage salary pay compensation
  sum total
  tax vat
  cash money
  bill invoice
  receipt slip
  insurer insurance
  landlord tenant renter
  picture photo
  novel book
  poem poetry verse
  chat conversation
  analyst analysis analytics
  stats statistics
  grade mark score
  web website site homepage
  internet web online
  law legal
  medical medicine clinical health healthcare
  hospital clinic
  patient sick
  farm agriculture crop
  solar photovoltaic
  electricity power energy
  hacker attack attacker
  virus malware
  password credential
  parking park
  road street highway motorway
  traffic congestion jam
  journey trip travel
  hotel accommodation lodging
  restaurant eatery
  meal food dish dinner lunch
  recipe cook cooking
  pet dog cat
  plant flower garden gardening
  furniture sofa
  plumber electrician handyman
  nanny babysitter sitter
  party celebration birthday
  gift present
  fashion outfit clothes
  kilometer kilometre km
  kilogram kilo kg
  agreement contract
  draw paint sketch illustrate
  manufacturer manufacture producer factory
  mentor coach counsellor
  bicycle bike
  phone telephone smartphone cellphone
  laptop computer
  elderly senior aging ageing
  stock share equity
  rent lease
  fuel petrol gasoline diesel
  clothing garment apparel
  train railway rail
  ship vessel boat
  wedding marriage
  thesis dissertation
  sell sale
  choose pick select
  collect gather
  connect link integrate
  reduce lower decrease
  improve enhance optimize
  notify alert warn
  organize arrange
  split divide
  classify categorize sort
  teach learn
  vote election
  mistake error
  rewrite paraphrase
  anonymous anonymize mask
  leftover leftovers
  crate box carton
  neighbor neighbour
  gym workout
  lend loan borrow
  commute ride
`
  .trim()
  .split('\n')
  .map(list);
