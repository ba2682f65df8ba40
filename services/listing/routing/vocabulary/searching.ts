import { Concept } from "./concept.ts";

/** Asking for something to be looked up. */
export const searching = new Concept(`
  search | searches | searching | find | finding | look up | lookup | looking up | look for | looking for | look it up | look them up | look that up | hunt down | dig up | pull up | query | browse | discover | explore | locate | google | grep | any * for | i need a | i need an | i'm after a | i'm after an | i'm after some* | we're after a | we're after an | in search of | on the hunt for | in need of | recommend | recommend me | suggest a | suggest an | suggest some | suggest me | show me * for | got any | got anything | is there a | is there an | is there any* | are there a* | are there some | anything | something | do you know | heard of | know of
  busca | buscar | buscame | busque | buscalo | buscalas | encuentra | encontrar | encuentrame | busco | buscamos
  cherche | chercher | cherchez | recherche | rechercher | trouve | trouver | trouvez | je cherche
  such | suche | suchen | finde | finden | such mir | nach
  procura | procurar | procure | pesquisa | pesquisar | pesquise | encontre | encontrar | ache | acha | buscar | busque | busca
  cerca | cercare | cercami | trova | trovami | trovare | ricerca | cerco
  zoek | zoeken | vind | vinden | opzoeken
  szukaj | szukam | wyszukaj | znajdz | poszukaj | odszukaj
  ara | bul | arat | arastir | ariyorum | bulur musun | bulun | bulabilir*
  найди | найдите | найти | поиск | поищи | ищи | ищу | искать | нужен | нужна | посоветуй* | порекомендуй* | подскажи*
  खोज* | ढूंढ* | ढूँढ* | तलाश*
  探して | 検索 | 探す | 見つけて | さがして | 探し
  搜索 | 搜尋 | 搜一下 | 搜 | 查找 | 查一下 | 寻找 | 找 | 帮我找
  검색 | 찾아 | 찾기 | 찾고 | 찾는
`);
