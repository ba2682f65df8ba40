/** A typical first test by a new user: a few short documents, and questions about them in other words. */
export interface SmallStore {
  name: string;
  /** A document, and a question that it answers. */
  documents: [text: string, question: string][];
  /** Questions that no document here answers, although some share a word with one. */
  unanswerable: string[];
}

export const smallStores: SmallStore[] = [
  {
    name: "shop",
    documents: Object.entries({
      "# Returns\nGoods can be sent back within 30 days. Refunds are paid within 5 working days.":
        "How long do refunds take?",
      "# Shipping\nParcels leave our warehouse the same day. Delivery within Europe takes three days.":
        "When will my parcel be delivered?",
      "# Opening hours\nThe shop opens at nine and closes at six, Monday to Saturday.":
        "At what time does the shop close?",
      "# Gift cards\nA gift card is valid for two years and can't be exchanged for cash.":
        "Do gift cards expire or are they valid forever?",
      "# Payment\nWe accept Visa, Mastercard and bank transfer. Cheques are not accepted.":
        "Can I pay by bank transfer?",
    }),
    unanswerable: [
      "Who founded the company?",
      "What is the capital of Mongolia?",
      "How do I reset my password?",
      "Which programming language is the website written in?",
      "Is there a vegetarian menu?",
    ],
  },
  {
    name: "staff handbook",
    documents: Object.entries({
      "Everybody has 28 days of vacation in a year. Unused days expire at the end of March.":
        "How many vacation days do I get?",
      "Working from home is possible on two days a week, after talking to your manager.":
        "Am I allowed to work from home?",
      "Expenses up to 50 euros need no approval. Send receipts to finance@example.com.": "Where do I send my receipts?",
      "New colleagues are given a laptop and a badge on their first day by the front desk.": "Who gives me my badge?",
      "Sick leave: call before ten o'clock. From the third day on a doctor's note is needed.":
        "When do I need a doctor's note?",
    }),
    unanswerable: [
      "What is the salary of a senior engineer?",
      "Who won the football world cup in 2018?",
      "How tall is the Eiffel Tower?",
      "What is the dress code?",
      "Can I bring my dog?",
    ],
  },
  {
    name: "software",
    documents: Object.entries({
      "Set the variable PORT to choose the port. The default is 8080.": "What is the default port?",
      "To install the tool run `npm install -g lumen`, which needs Node 22 or later.": "How do I install lumen?",
      "Backups are written to /var/backups every night at two and kept for 14 days.": "How long are backups kept?",
      "When the log says ECONNREFUSED the database is not running: start it and try again.":
        "What does ECONNREFUSED mean?",
      "The API allows 100 requests a minute for each key; beyond that it answers 429.":
        "What is the rate limit of the API?",
    }),
    unanswerable: [
      "How much does a licence cost?",
      "What is the best recipe for pancakes?",
      "Who is the king of Sweden?",
      "Does it support Windows 95?",
      "How do I cancel my subscription?",
    ],
  },
  {
    name: "town",
    documents: Object.entries({
      "The town library lends books for four weeks. A library card costs 12 euros a year.":
        "How much is a library card?",
      "Household waste is collected on Tuesdays, paper on the first Friday of a month.":
        "On which day is paper collected?",
      "The swimming pool is closed in August for repairs.": "Why is the swimming pool closed?",
      "Dogs must be on a lead in the park. The fine is 80 euros.": "What is the fine for dogs without a lead?",
      "The mayor, Ana Duarte, was elected in 2023 for five years.": "Who is the mayor?",
    }),
    unanswerable: [
      "Where can I rent a boat?",
      "What is the boiling point of tungsten?",
      "How many people live in Tokyo?",
      "Who painted the Mona Lisa?",
      "When does the museum open?",
    ],
  },
  {
    name: "health",
    documents: Object.entries({
      "Ibuprofen lowers fever and eases pain. Adults take at most 1200 mg a day without a prescription.":
        "What is the maximum dose of ibuprofen for adults?",
      "Vaccination against tetanus has to be refreshed every ten years.":
        "How often must the tetanus vaccination be refreshed?",
      "Drink plenty of water when you have a fever, and see a doctor if it lasts longer than three days.":
        "What should I do about a fever that lasts?",
      "Visiting hours in the hospital are from two to eight in the afternoon.":
        "When may I visit somebody in the hospital?",
      "Penicillin was discovered by Alexander Fleming in 1928.": "Who discovered penicillin?",
    }),
    unanswerable: [
      "What are the side effects of chemotherapy?",
      "How do I change a bicycle tyre?",
      "Which planet has the most moons?",
      "How much does a dentist cost?",
      "What is the exchange rate of the dollar?",
    ],
  },
  {
    name: "kitchen",
    documents: Object.entries({
      "Boil the pasta for nine minutes in salted water and keep a cup of the water for the sauce.":
        "How many minutes should pasta boil?",
      "For sourdough feed the starter with flour and water twelve hours before baking.":
        "When should I feed my sourdough starter?",
      "A medium egg weighs 50 grams; hard-boiled it takes ten minutes.": "What does an egg weigh?",
      "Store tomatoes at room temperature: in the fridge they lose their taste.":
        "Should tomatoes be stored in the fridge?",
      "Basmati rice is rinsed three times and cooked with one and a half times its volume of water.":
        "How much water does basmati rice need?",
    }),
    unanswerable: [
      "Which wine goes with lamb?",
      "What is a monad?",
      "Who wrote War and Peace?",
      "How do I file my taxes?",
      "What is the speed of light?",
    ],
  },
  {
    name: "travel",
    documents: Object.entries({
      "Check-in starts at three in the afternoon, and check-out is until eleven.": "Until when do I have to check out?",
      "Breakfast is served from seven to ten in the garden room and is part of the price.":
        "Where is breakfast served?",
      "A bus leaves for the airport every 20 minutes from the main station.": "How do I get to the airport?",
      "Guests park free of charge behind the hotel; the gate code is at the reception.":
        "Is there free parking for guests?",
      "Pets are welcome for 15 euros a night, but not in the restaurant.": "What do pets cost?",
    }),
    unanswerable: [
      "Does the room have air conditioning?",
      "How old is the universe?",
      "What is the population of Canada?",
      "Who directed Casablanca?",
      "How do I train a neural network?",
    ],
  },
  {
    name: "garden",
    documents: Object.entries({
      "Tulip bulbs are planted in October, about fifteen centimetres deep.": "How deep are tulip bulbs planted?",
      "Prune apple trees in late winter, before the buds open.": "What is the right season to prune an apple tree?",
      "Slugs avoid copper; a band of it around a pot keeps them away.": "How can I keep slugs away?",
      "Compost needs air: turn the heap every four weeks.": "How often do I turn the compost?",
      "Lavender likes dry, sunny places and hardly any fertiliser.": "Does lavender need fertiliser?",
    }),
    unanswerable: [
      "Why do cats purr?",
      "What time is it in Sydney?",
      "Who invented the telephone?",
      "How high do sunflowers grow?",
      "What is the price of gold?",
    ],
  },
  {
    name: "bank",
    documents: Object.entries({
      "A transfer within the country arrives on the next working day.": "How fast is a transfer within the country?",
      "Lost cards are blocked at any hour under 0800 123 456.": "Which number do I call to block a lost card?",
      "Savings accounts earn 1.5 % interest, paid at the end of the year.":
        "How much interest does a savings account earn?",
      "To open an account bring your passport and a proof of address.": "What do I need to open an account?",
      "Withdrawing money at our own machines is free; elsewhere it costs two euros.":
        "What does withdrawing money at other machines cost?",
    }),
    unanswerable: [
      "Who is the chairman of the board?",
      "How do I boil an egg?",
      "What is the tallest mountain in Africa?",
      "Do you offer mortgages for boats?",
      "Why is the sky blue?",
    ],
  },
  {
    name: "school",
    documents: Object.entries({
      "Lessons begin at 8:15. Pupils who come late report to the office.": "When do lessons begin?",
      "The summer holidays last six weeks, from July 7 to August 17.": "How long are the summer holidays?",
      "Phones stay switched off during lessons and in the library.": "May phones be used during lessons?",
      "Lunch costs 4.20 a day and is ordered a week ahead on the school's site.": "How is lunch ordered?",
      "The choir meets on Wednesdays in room 12 with Ms Okafor.": "Who leads the choir?",
    }),
    unanswerable: [
      "What is the price of a litre of petrol?",
      "Who discovered America?",
      "How many bones has a shark?",
      "Which school has the best football team?",
      "What is the meaning of life?",
    ],
  },
  {
    name: "science",
    documents: Object.entries({
      "Water freezes at 0 degrees Celsius and boils at 100 at sea level.": "At what temperature does water freeze?",
      "The heart of a blue whale weighs as much as a small car, about 180 kilograms.":
        "What is the weight of a blue whale's heart?",
      "Jupiter is the largest planet of the solar system; a day there lasts ten hours.": "Which is the largest planet?",
      "Photosynthesis turns carbon dioxide and water into sugar and oxygen with the help of light.":
        "What does photosynthesis produce?",
      "Marie Curie received two Nobel prizes, one in physics and one in chemistry.":
        "Which Nobel prizes did Marie Curie receive?",
    }),
    unanswerable: [
      "How do I renew my passport?",
      "Who won the election?",
      "What is the train fare to Lisbon?",
      "Which camera should I buy?",
      "How do I knit a scarf?",
    ],
  },
  {
    name: "in other languages",
    documents: Object.entries({
      "Die Rückgabe ist innerhalb von 14 Tagen möglich. Das Porto trägt der Kunde.":
        "Wer trägt das Porto bei einer Rückgabe?",
      "La bibliothèque est fermée le lundi et ouverte jusqu'à dix-neuf heures.":
        "Quel jour la bibliothèque est-elle fermée ?",
      "El desayuno se sirve de siete a diez en el jardín.": "¿Dónde se sirve el desayuno?",
      "返品は三十日以内に受け付けます。送料はお客様の負担です。": "送料は誰の負担ですか？",
      "Магазин открыт с девяти до шести, кроме воскресенья.": "Когда открыт магазин?",
    }),
    unanswerable: [
      "Wie hoch ist der Mont Blanc?",
      "Qui a peint la Joconde ?",
      "¿Cuánto cuesta un billete de tren a Madrid?",
      "東京タワーの高さは何メートルですか？",
      "Кто написал Войну и мир?",
    ],
  },
];
